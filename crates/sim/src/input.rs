//! How many bytes of its standard input a process has not read yet: the event behind "it has heard me" where it
//! says nothing back.

/// How many bytes wait in the standard input of a process of ours; none where the kernel does not tell us.
#[cfg(target_os = "linux")]
pub fn unread_input(process: u32) -> Option<u64> {
    use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};
    let process = pidfd_open(Pid::from_raw(i32::try_from(process).ok()?)?, PidfdFlags::empty()).ok()?;
    let input = pidfd_getfd(process, 0, PidfdGetfdFlags::empty()).ok()?;
    rustix::io::ioctl_fionread(input).ok()
}

/// No other system tells us.
#[cfg(not(target_os = "linux"))]
pub fn unread_input(_process: u32) -> Option<u64> {
    None
}
