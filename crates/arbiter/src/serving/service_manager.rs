//! The word to the service manager (`sd_notify`): a datagram to the socket that it names, so that it knows when we are ready,
//! alive and stopping. Without one, nothing is said.

use std::ffi::OsString;
use std::os::unix::net::UnixDatagram;
use std::time::Duration;

/// What the manager told us in our environment. Children must not have it: they would speak for us.
pub const VARIABLES: [&str; 3] = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"];

/// The manager, if there is one.
#[derive(Debug, Default)]
pub struct ServiceManager {
    socket: Option<OsString>,
    /// How long we may be silent before it ends us.
    patience: Option<Duration>,
}

impl ServiceManager {
    /// The one that our environment names.
    #[must_use]
    pub fn find(lookup: impl Fn(&str) -> Option<OsString>) -> ServiceManager {
        let number = |name: &str| lookup(name)?.to_str()?.parse::<u64>().ok();
        let is_meant = number("WATCHDOG_PID").is_none_or(|process| process == u64::from(std::process::id()));
        let patience = number("WATCHDOG_USEC").filter(|micros| is_meant && *micros > 0);
        let socket = lookup("NOTIFY_SOCKET").filter(|name| !name.is_empty());
        ServiceManager { socket, patience: patience.map(Duration::from_micros) }
    }

    /// How often it wants to hear that we are alive.
    #[must_use]
    pub fn every(&self) -> Option<Duration> {
        self.patience.filter(|_| self.socket.is_some()).map(|patience| patience / 2)
    }

    /// Says it; a manager that does not hear is no trouble of ours.
    pub fn say(&self, words: &str) {
        let Some(name) = &self.socket else { return };
        let Ok(socket) = UnixDatagram::unbound() else { return };
        let bytes = words.as_bytes();
        let _ = match name.to_str().and_then(|name| name.strip_prefix('@')) {
            #[cfg(target_os = "linux")]
            Some(name) => {
                use std::os::linux::net::SocketAddrExt as _;
                std::os::unix::net::SocketAddr::from_abstract_name(name)
                    .and_then(|address| socket.send_to_addr(bytes, &address))
            }
            #[cfg(not(target_os = "linux"))]
            Some(_) => return,
            None => socket.send_to(bytes, name),
        };
    }
}
