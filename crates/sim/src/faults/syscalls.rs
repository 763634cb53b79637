//! The file-system calls of Linux on x86_64: what each does to a file, and where its arguments name that file.

use nix::libc;

/// What a call does to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallAct {
    /// Opens it, and perhaps makes it.
    Open,
    Read,
    Write,
    /// Looks at it or at its folder.
    Look,
    /// Gives, takes or moves a name: what a folder holds.
    Name,
    /// Makes it durable.
    Sync,
    /// Cuts or grows it.
    Resize,
    Lock,
    /// Changes its rights or its times.
    Mark,
}

/// Where the arguments name the file.
#[derive(Debug, Clone, Copy)]
pub enum Named {
    /// By a descriptor.
    Descriptor(usize),
    /// By a path, seen from the current folder.
    Path(usize),
    /// By a folder's descriptor and a path.
    At(usize, usize),
    /// From one path to another.
    Paths(usize, usize),
    /// From one place to another, each a descriptor and a path.
    Places(usize, usize, usize, usize),
    /// The second argument is only text: where a link points.
    LinkAt(usize, usize),
}

#[derive(Debug)]
pub struct CallShape {
    pub number: i64,
    pub name: &'static str,
    pub act: CallAct,
    pub named: Named,
}

const fn shape(number: i64, name: &'static str, act: CallAct, named: Named) -> CallShape {
    CallShape { number, name, act, named }
}

use CallAct::{Lock, Look, Mark, Name, Open, Read, Resize, Sync, Write};
use Named::{At, Descriptor, LinkAt, Path, Paths, Places};

#[rustfmt::skip]
static SHAPES: [CallShape; 54] = [
    shape(libc::SYS_open, "open", Open, Path(0)),
    shape(libc::SYS_creat, "creat", Open, Path(0)),
    shape(libc::SYS_openat, "openat", Open, At(0, 1)),
    shape(libc::SYS_openat2, "openat2", Open, At(0, 1)),
    shape(libc::SYS_read, "read", Read, Descriptor(0)),
    shape(libc::SYS_pread64, "pread", Read, Descriptor(0)),
    shape(libc::SYS_readv, "readv", Read, Descriptor(0)),
    shape(libc::SYS_write, "write", Write, Descriptor(0)),
    shape(libc::SYS_pwrite64, "pwrite", Write, Descriptor(0)),
    shape(libc::SYS_writev, "writev", Write, Descriptor(0)),
    shape(libc::SYS_copy_file_range, "copy_file_range", Write, Descriptor(2)),
    shape(libc::SYS_sendfile, "sendfile", Write, Descriptor(0)),
    shape(libc::SYS_stat, "stat", Look, Path(0)),
    shape(libc::SYS_lstat, "lstat", Look, Path(0)),
    shape(libc::SYS_fstat, "fstat", Look, Descriptor(0)),
    shape(libc::SYS_newfstatat, "fstatat", Look, At(0, 1)),
    shape(libc::SYS_statx, "statx", Look, At(0, 1)),
    shape(libc::SYS_statfs, "statfs", Look, Path(0)),
    shape(libc::SYS_fstatfs, "fstatfs", Look, Descriptor(0)),
    shape(libc::SYS_access, "access", Look, Path(0)),
    shape(libc::SYS_faccessat, "faccessat", Look, At(0, 1)),
    shape(libc::SYS_faccessat2, "faccessat2", Look, At(0, 1)),
    shape(libc::SYS_readlink, "readlink", Look, Path(0)),
    shape(libc::SYS_readlinkat, "readlinkat", Look, At(0, 1)),
    shape(libc::SYS_getdents64, "getdents", Look, Descriptor(0)),
    shape(libc::SYS_chdir, "chdir", Look, Path(0)),
    shape(libc::SYS_inotify_add_watch, "inotify_add_watch", Look, Path(1)),
    shape(libc::SYS_rename, "rename", Name, Paths(0, 1)),
    shape(libc::SYS_renameat, "renameat", Name, Places(0, 1, 2, 3)),
    shape(libc::SYS_renameat2, "renameat2", Name, Places(0, 1, 2, 3)),
    shape(libc::SYS_link, "link", Name, Paths(0, 1)),
    shape(libc::SYS_linkat, "linkat", Name, Places(0, 1, 2, 3)),
    shape(libc::SYS_symlink, "symlink", Name, Path(1)),
    shape(libc::SYS_symlinkat, "symlinkat", Name, LinkAt(1, 2)),
    shape(libc::SYS_unlink, "unlink", Name, Path(0)),
    shape(libc::SYS_unlinkat, "unlinkat", Name, At(0, 1)),
    shape(libc::SYS_rmdir, "rmdir", Name, Path(0)),
    shape(libc::SYS_mkdir, "mkdir", Name, Path(0)),
    shape(libc::SYS_mkdirat, "mkdirat", Name, At(0, 1)),
    shape(libc::SYS_mknodat, "mknodat", Name, At(0, 1)),
    shape(libc::SYS_fsync, "fsync", Sync, Descriptor(0)),
    shape(libc::SYS_fdatasync, "fdatasync", Sync, Descriptor(0)),
    shape(libc::SYS_syncfs, "syncfs", Sync, Descriptor(0)),
    shape(libc::SYS_ftruncate, "ftruncate", Resize, Descriptor(0)),
    shape(libc::SYS_truncate, "truncate", Resize, Path(0)),
    shape(libc::SYS_fallocate, "fallocate", Resize, Descriptor(0)),
    shape(libc::SYS_flock, "flock", Lock, Descriptor(0)),
    shape(libc::SYS_chmod, "chmod", Mark, Path(0)),
    shape(libc::SYS_fchmod, "fchmod", Mark, Descriptor(0)),
    shape(libc::SYS_fchmodat, "fchmodat", Mark, At(0, 1)),
    shape(libc::SYS_utimensat, "utimensat", Mark, At(0, 1)),
    shape(libc::SYS_fchown, "fchown", Mark, Descriptor(0)),
    shape(libc::SYS_setxattr, "setxattr", Mark, Path(0)),
    shape(libc::SYS_getxattr, "getxattr", Look, Path(0)),
];

/// The call of this number, if it is one of the file system's.
pub fn shape_of(number: i64) -> Option<&'static CallShape> {
    SHAPES.iter().find(|shape| shape.number == number)
}
