//! Who decides, limits, the first agent, notes: as people write them, and whose word counts.

use arbiter::project::config::{Api, ApiKind};
use arbiter::project::trust::Standing;
use mind::conductor::NoteKeeping;
use providers::prices::ModelPrice;

use super::Desk;

/// The lines of a few keys.
fn lines(told: &str, keys: &[&str]) -> Vec<String> {
    let wanted = |line: &&str| keys.iter().any(|key| line.starts_with(&format!("{key} = ")));
    told.lines().filter(wanted).map(str::to_owned).collect()
}

#[test]
fn the_keys_of_a_conducted_mission_are_read() {
    let desk = Desk::new()
        .user(
            "arbiter: { provider: api, model: claude-haiku-4-5, maxTokens: 2048, temperature: 0.3, cache: true,\n  \
             baseUrl: \"http://localhost:11434/v1/\", kind: openai }\n",
        )
        .project(
            "provider: { default: claude, claude: { model: sonnet }, routes: [claude, rehearsal] }\n\
             claude: { model: sonnet }\n\
             agents: { default: developer }\n\
             limits: { maxIterations: 20, maxFailures: 2, deadline: 8h, budgetUsd: 20.5, budgetTokens: 1000000 }\n\
             memory: { keeper: off }\n",
        );
    let config = desk.load().expect("sound");
    assert_eq!(
        config.api(),
        Some(Api {
            kind: ApiKind::OpenAi,
            base_url: Some("http://localhost:11434/v1".to_owned()),
            model: "claude-haiku-4-5".to_owned(),
            max_tokens: 2048,
            temperature_milli: Some(300),
            price: None,
        })
    );
    assert_eq!(config.claude_model.value.as_deref(), Some("sonnet"));
    let conducting = config.conducting(true, "claude");
    assert_eq!(&*conducting.default_agent, "developer");
    assert_eq!(conducting.routes, ["claude", "rehearsal"]);
    assert_eq!((conducting.keeping, conducting.dry_run), (NoteKeeping::Off, true));
    let limits = conducting.limits;
    assert_eq!((limits.max_iterations, limits.max_failures), (20, 2));
    assert_eq!(limits.deadline_ms, Some(8 * 60 * 60 * 1000));
    assert_eq!((limits.budget_microusd, limits.budget_tokens), (Some(20_500_000), Some(1_000_000)));
    let decider = conducting.decider.expect("a model");
    assert_eq!((&*decider.provider, decider.max_tokens, decider.cache), ("api", 2048, true));
    assert_eq!((decider.model.as_deref(), decider.temperature_milli), (Some("claude-haiku-4-5"), Some(300)));
    assert_eq!(
        lines(&desk.told(), &["arbiter.temperature", "limits.budgetUsd", "limits.deadline"]),
        [
            "arbiter.temperature = 0.3  (user file U:1)",
            "limits.deadline = 8h  (project file P:4)",
            "limits.budgetUsd = 20.5  (project file P:4)"
        ]
    );
}

#[test]
fn the_missions_own_provider_decides_unless_somebody_says_otherwise() {
    let decider = |text: &str, provider: &str| {
        let config = Desk::new().user(text).load().expect("sound");
        assert_eq!(config.api(), None);
        config.conducting(false, provider).decider.map(|decider| decider.provider.to_string())
    };
    assert_eq!(decider("", "claude").as_deref(), Some("claude"));
    assert_eq!(decider("", "rehearsal").as_deref(), Some("rehearsal"));
    assert_eq!(
        decider("arbiter: { provider: claude, model: haiku }\n", "rehearsal").as_deref(),
        Some("claude")
    );
    assert_eq!(decider("arbiter: { provider: rehearsal }\n", "claude").as_deref(), Some("claude"));
    assert_eq!(decider("arbiter: { provider: none }\n", "claude"), None);
}

const BAD: &[(&str, &str)] = &[
    (
        "arbiter: { provider: claude, temperature: 0.3, maxTokens: 9, baseUrl: \"https://a\", kind: openai }\n",
        "U:1:59: `arbiter.maxTokens`: Claude Code cannot honour this\n  hint: `arbiter.provider: api` could (U:1:22 says otherwise); else leave it out\n\
         U:1:43: `arbiter.temperature`: Claude Code cannot honour this\n  hint: `arbiter.provider: api` could (U:1:22 says otherwise); else leave it out\n\
         U:1:71: `arbiter.baseUrl`: Claude Code cannot honour this\n  hint: `arbiter.provider: api` could (U:1:22 says otherwise); else leave it out\n\
         U:1:90: `arbiter.kind`: Claude Code cannot honour this\n  hint: `arbiter.provider: api` could (U:1:22 says otherwise); else leave it out",
    ),
    (
        "arbiter: { provider: none, cache: true }\n",
        "U:1:35: `arbiter.cache`: the fixed order cannot honour this\n  hint: `arbiter.provider: api` could (U:1:22 says otherwise); else leave it out",
    ),
    (
        "arbiter: { provider: api, temperature: 1.5 }\n",
        "U:1:22: `arbiter.provider`: an API needs a model\n  hint: write `arbiter: { provider: api, model: claude-haiku-4-5 }`\n\
         U:1:40: `arbiter.temperature`: this API takes numbers from 0 to 1\n  hint: write 0.3, or leave it out",
    ),
    (
        "arbiter: { provider: apy, maxtokens: 1, temperature: -1, cache: maybe }\n",
        "U:1:27: unknown key `arbiter.maxtokens`\n  hint: did you mean `maxTokens`?\n\
         U:1:22: `arbiter.provider`: unknown provider `apy`\n  hint: known providers: api, claude, rehearsal, none\n\
         U:1:54: `arbiter.temperature`: -1 is not a number from 0 to 2\n\
         U:1:65: `arbiter.cache`: true or false is needed here, not text\n  hint: write true or false",
    ),
    (
        "arbiter: { provider: api, model: m, baseUrl: \"ftp://a\" }\n",
        "U:1:46: `arbiter.baseUrl`: `ftp://a` is not the address of an API\n  hint: write the beginning of its address: http://localhost:11434/v1",
    ),
    (
        "arbiter: { provider: api, model: m, baseUrl: \"https://user:secret@a\" }\n",
        "U:1:46: `arbiter.baseUrl`: a name or a password stands in it\n  hint: write the beginning of its address: http://localhost:11434/v1",
    ),
    (
        "limits: { maxIterations: 0, deadline: 8, budgetUsd: 0, budgetTokens: 1.5, maxFailures: -1 }\n",
        "U:1:26: `limits.maxIterations`: 0 is not a whole number from 1 to 100000\n\
         U:1:39: `limits.deadline`: `8` has no unit\n  hint: write the unit: 8s or 8m\n\
         U:1:53: `limits.budgetUsd`: a mission cannot run without money\n  hint: without a budget leave it out\n\
         U:1:70: `limits.budgetTokens`: a whole number from 1 on is needed here, not a number\n  hint: write it as a plain number, without a unit\n\
         U:1:88: `limits.maxFailures`: a whole number from 1 to 1000 is needed here, not a number\n  hint: write it as a plain number, without a unit",
    ),
    (
        "provider: { routes: [claude, \"acp:codex\"] }\n",
        "U:1:30: `provider.routes[1]`: unknown provider `acp:codex`\n  hint: known providers: claude, rehearsal",
    ),
    (
        "claude: { model: opus }\nprovider: { claude: { model: sonnet } }\n",
        "U:2:30: `claude.model`: it is `sonnet` here and `opus` in line 1\n  hint: claude.model and provider.claude.model mean the same: keep one of them",
    ),
    (
        "memory: { keeper: always }\nagents: { default: 3 }\n",
        "U:1:19: `memory.keeper`: unknown value `always`\n  hint: known values: off, end, each\n\
         U:2:20: `agents.default`: the name of an agent is needed here, not a number\n  hint: `arbiter agents` lists them",
    ),
];

#[test]
fn what_cannot_be_meant_or_honoured_is_refused() {
    for (written, told) in BAD {
        assert_eq!(Desk::new().user(written).told(), *told, "written: {written}");
    }
}

#[test]
fn two_files_can_contradict_each_other() {
    let told = Desk::new()
        .user("arbiter: { provider: api, model: m, temperature: 0.5 }\n")
        .project("arbiter:\n  provider: claude\n")
        .told();
    assert_eq!(
        told,
        "U:1:50: `arbiter.temperature`: Claude Code cannot honour this\n  \
         hint: `arbiter.provider: api` could (P:2:13 says otherwise); else leave it out"
    );
}

#[test]
fn a_repository_does_not_choose_for_the_users_own_api() {
    let mut desk = Desk::new()
        .user("arbiter: { provider: api, model: small, baseUrl: \"https://mine.example\", kind: openai }\n")
        .project("arbiter: { model: dear, kind: anthropic, maxTokens: 90000 }\n");
    assert_eq!(
        desk.load().expect("sound").api().map(|api| api.model).as_deref(),
        Some("dear"),
        "it is trusted"
    );
    desk.standing = Standing::Untrusted;
    let api = desk.load().expect("sound").api().expect("the user's own");
    assert_eq!((api.model.as_str(), api.kind, api.max_tokens), ("small", ApiKind::OpenAi, 1024));
    assert_eq!(
        lines(&desk.told(), &["arbiter.kind"]),
        [
            "arbiter.kind = openai  (user file U:1)",
            "arbiter.kind = anthropic  (not counted: project file P:1, not trusted)"
        ]
    );
}

#[test]
fn the_arbiter_itself_by_an_api_is_told_and_is_the_users_choice() {
    let desk = Desk::new().user("provider: { arbiter: api }\narbiter: { provider: api, model: m }\n");
    assert_eq!(lines(&desk.told(), &["provider.arbiter"]), ["provider.arbiter = api  (user file U:1)"]);
    assert_eq!(lines(&Desk::new().told(), &["provider.arbiter"]), ["provider.arbiter = default  (default)"]);
    assert_eq!(
        Desk::new().user("provider: { arbiter: api }\n").told(),
        "U:1:22: `provider.arbiter`: no API is configured\n  \
         hint: write `arbiter: { provider: api, model: NAME }` beside it"
    );
    assert_eq!(
        Desk::new().project("provider: { arbiter: api }\n").told(),
        "P:1:22: `provider.arbiter`: this counts only in your own file\n  \
         hint: write it into U: a repository must not choose where your keys and prompts go"
    );
}

#[test]
fn a_repository_does_not_say_where_keys_go_nor_spend_the_users_money() {
    let base =
        Desk::new().project("arbiter: { provider: api, model: m, baseUrl: \"https://evil.example\" }\n");
    assert_eq!(
        base.told(),
        "P:1:46: `arbiter.baseUrl`: this counts only in your own file\n  \
         hint: write it into U: a repository must not choose where your keys and prompts go"
    );
    let mut desk = Desk::new().user("limits: { budgetUsd: 5, maxFailures: 9 }\n").project(
        "arbiter: { provider: api, model: gpt-5, temperature: 0.9 }\n\
         limits: { maxIterations: 500, maxFailures: 4, budgetUsd: 6, deadline: 1h }\n\
         agents: { default: scribe }\n",
    );
    let keys = ["arbiter.provider", "arbiter.model", "arbiter.temperature", "agents.default"];
    let limits = ["limits.maxIterations", "limits.maxFailures", "limits.budgetUsd", "limits.deadline"];
    assert!(desk.load().expect("sound").api().is_some(), "it is trusted");
    desk.standing = Standing::Untrusted;
    assert_eq!(desk.load().expect("sound").api(), None);
    assert_eq!(
        lines(&desk.told(), &keys),
        [
            "arbiter.provider = the mission's own  (default)",
            "arbiter.provider = api  (not counted: project file P:1, not trusted)",
            "arbiter.model = its own default  (default)",
            "arbiter.model = gpt-5  (not counted: project file P:1, not trusted)",
            "arbiter.temperature = its own default  (default)",
            "arbiter.temperature = 0.9  (not counted: project file P:1, not trusted)",
            "agents.default = planner  (default)",
            "agents.default = scribe  (not counted: project file P:3, not trusted)",
        ]
    );
    assert_eq!(
        lines(&desk.told(), &limits),
        [
            "limits.maxIterations = 50  (default)",
            "limits.maxIterations = 500  (not counted: project file P:2, not trusted)",
            "limits.maxFailures = 4  (project file P:2)",
            "limits.deadline = 1h  (project file P:2)",
            "limits.budgetUsd = 5  (user file U:1)",
            "limits.budgetUsd = 6  (not counted: project file P:2, not trusted)",
        ],
        "a project may tighten"
    );
}

#[test]
fn a_limit_in_money_needs_a_price() {
    let budget = "limits: { budgetUsd: 5 }\n";
    let told = |arbiter: &str, limits: &str| {
        let loaded = Desk::new().user(format!("arbiter: {{ provider: api, {arbiter} }}\n{limits}")).load();
        loaded.map(|config| config.api().and_then(|api| api.price)).map_err(|error| error.to_string())
    };
    // A model of the list, or one without a limit in money, needs none.
    assert_eq!(told("model: claude-haiku-4-5", budget), Ok(None));
    assert_eq!(told("model: small-one", ""), Ok(None));
    let refused = told("model: small-one", budget).expect_err("its price is not known");
    assert!(refused.contains("limits.budgetUsd") && refused.contains("the price of small-one"), "{refused}");
    assert!(refused.contains("hint: ") && refused.contains("arbiter: { price:"), "{refused}");
    let priced = told("model: small-one, price: { input: 0.5, output: 2, cacheRead: 0.05 }", budget);
    let price = ModelPrice { input: 500_000, output: 2_000_000, cache_write: 500_000, cache_read: 50_000 };
    assert_eq!(priced, Ok(Some(price)));
    let half = told("model: small-one, price: { input: 0.5 }", "").expect_err("half a price");
    assert!(half.contains("`input` and `output`"), "{half}");
    // A server of one's own costs nothing, if its owner says so.
    assert!(told("model: small-one, price: { input: 0, output: 0 }", budget).is_ok());
}

#[test]
fn a_project_does_not_say_what_a_model_costs() {
    let desk = Desk::new()
        .user("arbiter: { provider: api, model: small-one }\nlimits: { budgetUsd: 5 }\n")
        .project("arbiter: { price: { input: 0, output: 0 } }\n");
    assert!(desk.load().is_err());
}
