//! The agents that come with the program, as files. The reader of a user's agents reads these the same way.

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// Our agents by file name.
        pub const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../agents/", $name)))),*];
    };
}

files!("planner.md", "developer.md", "tester.md", "reviewer.md", "memory-keeper.md", "verifier.md");
