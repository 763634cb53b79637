//! Suggests how to write a line for a shell as a check: one list of words for each command.
//!
//! It is a suggestion for a person to read, so it understands what people usually write and gives up on the rest.

use super::check::shell_script;

/// What to write instead of `line`.
pub(super) fn instead_of(line: &str) -> String {
    let commands: Vec<Vec<String>> = commands_of(line);
    if commands.is_empty() || commands.iter().any(|command| is_beyond_argv(command)) {
        return r#"put it into an executable script and write ["./check.sh"]"#.into();
    }
    let lists: Vec<String> = commands.iter().map(|command| format!("{command:?}")).collect();
    match lists.as_slice() {
        [list] => format!("write the program and its arguments as a list: {list}"),
        lists => format!("write one check for each command: {}", lists.join(" and ")),
    }
}

/// The commands whose exit status counts; what follows `||` or `|`, or redirects, would only hide or move things.
fn commands_of(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut is_skipping = false;
    let mut is_redirect = false;
    for token in tokens(line) {
        match token {
            Token::Word(_) if is_redirect => is_redirect = false,
            Token::Word(_) if is_skipping => {}
            Token::Word(word) => {
                commands.last_mut().into_iter().for_each(|command| command.push(word.clone()))
            }
            Token::Operator(operator) if operator.contains(['<', '>']) => is_redirect = true,
            Token::Operator(operator) => {
                is_skipping = matches!(operator.as_str(), "||" | "|" | "|&");
                is_redirect = false;
                if !is_skipping {
                    commands.push(Vec::new());
                }
            }
        }
    }
    commands.retain(|command| !command.is_empty());
    commands.into_iter().flat_map(without_shell).collect()
}

fn without_shell(mut command: Vec<String>) -> Vec<Vec<String>> {
    if let Some(line) = shell_script(&command) {
        return commands_of(&line);
    }
    if is_assignment(&command[0]) {
        command.insert(0, "env".into());
    }
    vec![command]
}

fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map_or("", |(name, _)| name);
    !name.is_empty() && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
}

/// Words that mean nothing without a shell: its own commands, and what it would expand.
fn is_beyond_argv(command: &[String]) -> bool {
    const BUILTINS: &[&str] = &[
        ".", "!", ":", "[[", "alias", "cd", "do", "done", "eval", "exec", "exit", "export", "fi", "for",
        "if", "set", "source", "then", "trap", "ulimit", "umask", "unset", "while", "{", "}",
    ];
    command.first().is_some_and(|program| BUILTINS.contains(&program.as_str()) || program.starts_with('~'))
        || command.iter().any(|word| word.contains(['$', '`', '*', '?', '\n']))
}

enum Token {
    Word(String),
    Operator(String),
}

fn tokens(line: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut word: Option<String> = None;
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '\'' | '"' => {
                let quoted: String = signs.by_ref().take_while(|other| *other != sign).collect();
                word.get_or_insert_default().push_str(&quoted);
            }
            '\\' => word.get_or_insert_default().extend(signs.next()),
            '|' | '&' | ';' | '<' | '>' | '(' | ')' | '\n' => {
                // The number in `2>` belongs to the redirection.
                let is_stream = matches!(sign, '<' | '>') && word.as_deref().is_some_and(is_number);
                tokens.extend(word.take().filter(|_| !is_stream).map(Token::Word));
                let mut operator = String::from(sign);
                while let Some(next) = signs.next_if(|next| matches!(next, '|' | '&' | '<' | '>')) {
                    operator.push(next);
                }
                tokens.push(Token::Operator(operator));
            }
            _ if sign.is_whitespace() => tokens.extend(word.take().map(Token::Word)),
            _ => word.get_or_insert_default().push(sign),
        }
    }
    tokens.extend(word.map(Token::Word));
    tokens
}

fn is_number(word: &str) -> bool {
    word.chars().all(|sign| sign.is_ascii_digit())
}
