//! Simulations and test worlds: this crate runs the whole of Arbiter and breaks things on purpose, for tests only.
//!
//! A [`Theatre`] is a world of its own for the real binary: home, state folder, project. A [`Story`] is what must be
//! the same however often Arbiter died while a mission ran. A [`world::World`] is a whole Arbiter from a seed, without
//! processes and without real time.

#[cfg(feature = "api")]
pub mod api;
#[cfg(feature = "binary")]
mod books;
#[cfg(feature = "api")]
pub mod bot_api;
mod charter;
pub mod claude;
#[cfg(feature = "binary")]
mod death;
#[cfg(all(feature = "faults", target_os = "linux", target_arch = "x86_64"))]
pub mod faults;
#[cfg(feature = "binary")]
pub mod golden;
#[cfg(feature = "binary")]
mod input;
mod long;
#[cfg(feature = "api")]
mod loopback;
pub mod real;
#[cfg(all(feature = "api", feature = "binary"))]
pub mod real_stage;
#[cfg(feature = "binary")]
mod runner_seed;
#[cfg(feature = "binary")]
mod script;
#[cfg(feature = "binary")]
mod seat;
#[cfg(feature = "binary")]
mod session_seed;
#[cfg(feature = "binary")]
mod stepped;
#[cfg(feature = "binary")]
mod story;
#[cfg(feature = "binary")]
mod theatre;
#[cfg(feature = "binary")]
pub mod toy_door;
mod wait;
#[cfg(feature = "binary")]
mod window;
pub mod world;

pub use charter::charter;
#[cfg(feature = "binary")]
pub use death::DeathWalk;
#[cfg(feature = "binary")]
pub use input::unread_input;
pub use long::LongMission;
#[cfg(feature = "binary")]
pub use runner_seed::{RunnerSeed, open_house};
#[cfg(feature = "binary")]
pub use script::{BridgeScript, GreetingScript, talk};
#[cfg(feature = "binary")]
pub use seat::{Seat, typed};
#[cfg(feature = "binary")]
pub use session_seed::SessionSeed;
#[cfg(feature = "binary")]
pub use stepped::SteppedMission;
#[cfg(feature = "binary")]
pub use story::Story;
#[cfg(feature = "binary")]
pub use theatre::{DEMO, REHEARSAL, Ran, Theatre};
pub use wait::{until, wait_until};
#[cfg(feature = "binary")]
pub use window::{Opening, Window};
