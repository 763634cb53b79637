//! Brings faults to every file-system call of the binary. Called by `cargo xtask faults`, which passes the binary:
//! `faults BINARY [COMMAND...] [--mode M]... [--every K] [--from N] [--seed S] [--alike A] [--only WORDS] [--workers W]`.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod options;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn main() -> std::process::ExitCode {
    options::main()
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() -> std::process::ExitCode {
    eprintln!("error: faults are brought by ptrace, on Linux and x86_64 only");
    std::process::ExitCode::from(3)
}
