//! The workspace of a mission: its clone of the user's repository, git on both sides, and the checks that Arbiter runs
//! itself beside the clone.
//!
//! It owns every process it starts, to the last descendant. What a check's outcome means for the mission is decided
//! elsewhere. Invariant: the user's HEAD, index and files are changed by nothing but `merge`, `init` and
//! `write_in_place`, which a person asks for by name.

mod blame;
mod capture;
mod carry;
mod changes;
mod check;
mod check_run;
mod clone;
mod clone_lock;
mod desk;
mod error;
mod folder;
mod git;
mod hint;
mod index;
mod inspection;
mod limits;
mod locks;
mod mend;
mod merge;
mod objects;
mod patience;
mod preflight;
mod process;
mod proof;
mod ref_marks;
mod refs;
mod salvage;
mod scratch;
mod scroll;
mod snapshot;
mod staging;
mod stray_files;
mod submodule;
mod tree_move;
mod version;

pub use carry::EarlierMerge;
pub use changes::changed_since;
pub use check::{Check, Written};
pub use check_run::{CheckRun, run_check};
pub use clone::{
    MissionClone, fetch_back, fetched_work, forget_base, is_clone_gone, leave_out, pin_base, pinned_base,
    prepare,
};
pub use clone_lock::CloneLock;
pub use error::{WorkspaceError, size};
pub use folder::{commit_in_place, init, measure, own_repository, write_in_place};
pub use inspection::{ObservedTree, inspect, inspect_in};
pub use mend::mend_clone;
pub use merge::{Merge, Merged, Work, merge, same_repository, work_of, write_patch};
pub use objects::{object_folders, submodules_folder};
pub use patience::on_slow_git;
pub use preflight::{Base, preflight};
pub use process::{Exit, Finished, Job, run};
pub use proof::{ProofCheckout, proof_folder, stand_at};
pub use salvage::{Salvage, remove_clone, remove_refs, salvage, salvage_ref, salvage_result};
pub use scratch::scratch;
pub use scroll::put_scroll;
pub use snapshot::{Load, Snapshot, take_along};
pub use submodule::{Absent, absent_submodules};
pub use version::{GitVersion, git_version};
