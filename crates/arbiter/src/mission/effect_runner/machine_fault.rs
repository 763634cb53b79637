//! Failures of the machine (a full disk, no process to be had) are tried again for a while: they may pass, and they say
//! nothing about the work.

use workspace::WorkspaceError;

use super::disk::DiskQueue;
use crate::limits;

/// Does `work`, and does it again while only the machine stands in its way, up to a bound. Where git's words do not tell
/// whether it was the machine or what git found there, it is done once more: what git found would be found again.
pub(super) async fn outlast<T, Work>(disk: &DiskQueue, work: impl Fn() -> Work) -> Result<T, WorkspaceError>
where
    Work: Future<Output = Result<T, WorkspaceError>>,
{
    let mut was_unclear = false;
    for pause in limits::MACHINE_FAULT_PAUSES {
        match work().await {
            Err(error) if error.is_machine_fault() || (error.is_gits() && !was_unclear) => {
                was_unclear |= !error.is_machine_fault();
                let ms = pause.as_millis();
                disk.note(format!("{}: it is tried again in {ms} ms", super::explain(&error)));
                tokio::time::sleep(pause).await;
            }
            done => return done,
        }
    }
    work().await
}
