//! What the common languages look like, as far as colours need it: their comments, their quotes and their words.

/// How one family of languages is written.
#[derive(Debug)]
pub(super) struct Language {
    /// The names that follow the opening of a code block.
    names: &'static [&'static str],
    /// What begins a comment that lasts until the end of the line.
    pub(super) comments: &'static [&'static str],
    /// What begins and ends a comment of several lines.
    pub(super) block: Option<(&'static str, &'static str)>,
    /// Quotes around a text on one line.
    pub(super) quotes: &'static str,
    /// Quotes around a text of several lines; the longest first.
    pub(super) long_quotes: &'static [&'static str],
    /// Words that the language keeps for itself, between spaces.
    pub(super) keywords: &'static str,
    /// Whether words mean the same in capitals.
    pub(super) shouts: bool,
    /// A word before one of these signs is a key.
    pub(super) keys: &'static str,
    /// Signs that are part of a word.
    pub(super) letters: &'static str,
}

const PLAIN: Language = Language {
    names: &[],
    comments: &["//"],
    block: Some(("/*", "*/")),
    quotes: "\"'",
    long_quotes: &[],
    keywords: "",
    shouts: false,
    keys: "",
    letters: "",
};

const LANGUAGES: &[Language] = &[
    Language {
        names: &["rust", "rs"],
        quotes: "",
        long_quotes: &["\""],
        keywords: "as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod \
                   move mut pub ref return self Self static struct super trait type union unsafe use where while",
        ..PLAIN
    },
    Language {
        names: &["python", "py", "python3", "starlark"],
        comments: &["#"],
        block: None,
        long_quotes: &["\"\"\"", "'''"],
        keywords: "and as assert async await break case class continue def del elif else except finally for from \
                   global if import in is lambda match nonlocal not or pass raise return self try while with yield",
        ..PLAIN
    },
    Language {
        names: &["javascript", "js", "jsx", "mjs", "cjs", "typescript", "ts", "tsx"],
        long_quotes: &["`"],
        keywords: "abstract any as async await boolean break case catch class const continue debugger declare default \
                   delete do else enum export extends finally for from function get if implements import in instanceof \
                   interface keyof let namespace new number of private protected public readonly return set static \
                   string super switch this throw try type typeof unknown var void while with yield",
        letters: "$",
        ..PLAIN
    },
    Language { names: &["json", "jsonc", "json5", "jsonl"], keys: ":", ..PLAIN },
    Language { names: &["yaml", "yml"], comments: &["#"], block: None, keys: ":", letters: "-.", ..PLAIN },
    Language {
        names: &["toml", "ini", "conf", "cfg", "properties", "env"],
        comments: &["#", ";"],
        block: None,
        long_quotes: &["\"\"\"", "'''"],
        keys: "=",
        letters: "-.",
        ..PLAIN
    },
    Language {
        names: &["sh", "bash", "shell", "zsh", "fish", "console", "shellsession", "makefile", "make"],
        comments: &["#"],
        block: None,
        quotes: "",
        long_quotes: &["\"", "'"],
        keywords: "alias break case cd continue do done echo elif else esac eval exec exit export fi for function if in \
                   local read readonly return set shift source sudo test then trap unset until while",
        letters: "-",
        ..PLAIN
    },
    Language {
        names: &["dockerfile", "docker", "containerfile"],
        comments: &["#"],
        block: None,
        keywords: "ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN SHELL STOPSIGNAL USER VOLUME \
                   WORKDIR",
        letters: "-",
        ..PLAIN
    },
    Language {
        names: &["go", "golang"],
        long_quotes: &["`"],
        keywords: "any bool break byte case chan const continue default defer else error fallthrough float64 for func go \
                   goto if import int int64 interface map package range return select string struct switch type var",
        ..PLAIN
    },
    Language {
        names: &["c", "h", "cpp", "c++", "cc", "cxx", "hpp", "objc", "cuda", "glsl", "arduino", "zig"],
        keywords: "alignas auto bool break case catch char class const constexpr const_cast continue default delete do \
                   double dynamic_cast else enum explicit extern float fn for friend goto if inline int long mutable \
                   namespace new noexcept operator override private protected pub public register reinterpret_cast \
                   return short signed sizeof static static_cast struct switch template this throw try typedef typename \
                   union unsigned using var virtual void volatile while #include #define #if #ifdef #ifndef #else \
                   #endif #pragma #undef",
        letters: "#",
        ..PLAIN
    },
    Language {
        names: &[
            "java", "kotlin", "kt", "csharp", "cs", "c#", "swift", "scala", "dart", "groovy", "gradle", "php",
        ],
        long_quotes: &["\"\"\""],
        keywords: "abstract as async await boolean break byte case catch char class companion const continue data def \
                   default do double else enum extends extension final finally float for foreach fun func function \
                   get guard if implements import in init instanceof int interface internal is lateinit let long \
                   namespace native new object open operator out override package private protected protocol public \
                   readonly record return sealed set short static string struct super switch synchronized this throw \
                   throws trait try typealias use using val var virtual void volatile when where while with yield",
        letters: "$@",
        ..PLAIN
    },
    Language {
        names: &["sql", "mysql", "postgres", "postgresql", "sqlite", "plsql"],
        comments: &["--"],
        keywords: "add all alter and as asc begin between by cascade case check column commit constraint create cross \
                   database default delete desc distinct drop else end exists explain foreign from full function grant \
                   group having if in index inner insert into is join key left like limit not null offset on or order \
                   outer primary references returning revoke right rollback schema select set table then transaction \
                   trigger truncate union unique update using values view when where with",
        shouts: true,
        ..PLAIN
    },
    Language {
        names: &["css", "scss", "less"],
        comments: &["//"],
        keywords: "@media @import @font-face @keyframes @include @mixin @use !important",
        keys: ":",
        letters: "-@!",
        ..PLAIN
    },
    Language {
        names: &["ruby", "rb", "elixir", "ex", "perl", "pl", "r", "julia"],
        comments: &["#"],
        block: None,
        keywords: "alias and begin break case class def defmodule defp do else elsif end ensure fn for foreach function \
                   if import in loop module my next not or our package private raise redo require rescue retry return \
                   self sub super then undef unless until use when while yield",
        letters: "?!@$",
        ..PLAIN
    },
    Language {
        names: &["lua", "haskell", "hs"],
        comments: &["--"],
        block: None,
        keywords: "and break case class data deriving do else elseif end for function if import in instance let local \
                   module newtype not of or repeat return then type until where while",
        ..PLAIN
    },
    Language {
        names: &["html", "xml", "svg", "vue", "svelte", "xhtml"],
        comments: &[],
        block: Some(("<!--", "-->")),
        quotes: "\"",
        keys: "=",
        letters: "-:",
        ..PLAIN
    },
];

impl Language {
    /// The language that a code block names, if it is one we know.
    pub(super) fn named(name: &str) -> Option<&'static Language> {
        let name = name.to_ascii_lowercase();
        LANGUAGES.iter().find(|language| language.names.contains(&name.as_str()))
    }

    /// Tags are words of markup, wherever they stand.
    pub(super) fn is_markup(&self) -> bool {
        self.names.contains(&"html")
    }

    /// A single quote begins a lifetime more often than a character.
    pub(super) fn has_lifetimes(&self) -> bool {
        self.names.contains(&"rust")
    }

    /// A comment begins only after a space, and `$` begins a name.
    pub(super) fn is_shell(&self) -> bool {
        self.names.contains(&"sh")
    }

    /// Whether the language keeps this word for itself.
    pub(super) fn keeps(&self, word: &str) -> bool {
        self.keywords
            .split_ascii_whitespace()
            .any(|keyword| keyword == word || (self.shouts && keyword.eq_ignore_ascii_case(word)))
    }
}
