//! A smaller sandbox inside the sandbox, for the commands of the program inside: they see less than it does,
//! and cannot look into it, signal it or take a descriptor from it. It is a second domain of Landlock; without
//! Landlock there is none.

#[cfg(target_os = "linux")]
use std::ffi::OsString;
#[cfg(target_os = "linux")]
use std::fs;
#[cfg(target_os = "linux")]
use std::path::Path;

use mind::access::AccessMap;

#[cfg(target_os = "linux")]
use super::{landlock, self_test};

/// What a file of orders holds. A lay alone is one too, where every folder can be listed.
#[cfg(target_os = "linux")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Orders {
    #[serde(flatten)]
    lay: AccessMap,
    #[serde(default)]
    listed: landlock::Listing,
}

/// The content of the file that `command` reads, for the access that the commands are to have. It must be made outside:
/// the folders around hidden places are listed for it, and no process inside may list those. The file must be readable
/// inside, and not writable.
#[must_use]
pub fn command_orders(lay: &AccessMap) -> String {
    #[cfg(target_os = "linux")]
    let orders = Orders { lay: lay.clone(), listed: landlock::listing(lay) };
    #[cfg(not(target_os = "linux"))]
    let orders = lay;
    serde_json::to_string(&orders).unwrap_or_default()
}

/// Confines this process by the orders in `file`, and becomes the program.
#[cfg(target_os = "linux")]
pub(super) fn become_command(file: &Path, program: &[OsString]) -> Result<u8, String> {
    let text = fs::read(file).map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
    let orders: Orders = serde_json::from_slice(&text)
        .map_err(|error| format!("the orders in {} make no sense: {error}", file.display()))?;
    if landlock::is_there() {
        // What only bubblewrap gives is allowed at both levels: the domain around this one allows it there only.
        landlock::confine(&orders.lay, landlock::Devices::Own, &orders.listed)?;
    }
    self_test::exec(program, &[])
}
