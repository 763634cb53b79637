//! Plays that a failing world printed, shrunk: each is what a mind was told when it broke a law, and tells it again.

/// A turn into which two texts were steered is still owed. (From a mind that was broken on purpose.)
#[test]
fn world_0_keeps_its_law() {
    sim::world::again(
        r#"
{"at":1763000000000,"event":{"Opened":{"mission":"world","seed":0,"scroll":{"name":"scroll.md","path":".arbiter/scroll.md","text":"Build the bridge."},"consent":{"policy":"night"},"checks":[["check","0"],["check","1"]],"check_limit_ms":60000,"seats":{"arbiter":{"provider":"world"},"orchestrator":{"provider":"world"},"verifier":{"provider":"world"}},"providers":{"world":{"steers":true}},"warnings":{"first":70,"last":85,"policy":"warn"},"patience":{"silence_ms":600000,"tool_ms":1800000}}}}
{"at":1763000073497,"event":{"Workshop":{"Settled":{"folder":"clone","base":"c0","branch":"arbiter/world"}}}}
{"at":1763000088464,"event":{"Agent":[{"session":1,"incarnation":1},{"Rested":{"turn":1,"end":{"Spoke":{"output":{"asks":"alignment","intent":"address_human","message":"Shall it begin?"},"text":"so it is"}},"tree":null}}]}}
{"at":1763036160058,"event":"Started"}
{"at":1763036476856,"event":{"Agent":[{"session":1,"incarnation":2},{"Rested":{"turn":2,"end":{"Spoke":{"output":{"agent":"orchestrator","intent":"summon_orchestrator","message":"Come."},"text":"so it is"}},"tree":null}}]}}
{"at":1763112431144,"event":{"Human":{"inbox_id":"l5","actor":"human:cli:ann","written":1763112431144,"action":{"say_to_orchestrator":"to the left"}}}}
{"at":1763112762997,"event":{"Human":{"inbox_id":"l6","actor":"human:cli:ann","written":1763112762997,"action":{"say_to_orchestrator":"to the left"}}}}
"#,
    );
}

/// An Arbiter that was lost after its testament was interrupted: the words of its later turn go to the heir.
#[test]
fn world_39479_keeps_its_law() {
    sim::world::again(
        r#"
{"at":1763000000000,"event":{"Opened":{"mission":"world","seed":39479,"scroll":{"name":"scroll.md","path":".arbiter/scroll.md","text":"Build the bridge."},"consent":{"policy":"night"},"checks":[],"check_limit_ms":60000,"seats":{"arbiter":{"provider":"world"},"orchestrator":{"provider":"world"},"verifier":{"provider":"world"}},"providers":{"world":{"steers":true}},"warnings":{"first":70,"last":85,"policy":"silent"},"patience":{"silence_ms":600000,"tool_ms":1800000}}}}
{"at":1763000004337,"event":{"Workshop":{"Settled":{"folder":"clone","base":"c0","branch":"arbiter/world"}}}}
{"at":1763000110914,"event":{"Agent":[{"session":1,"incarnation":1},{"Rested":{"turn":1,"end":{"Spoke":{"output":{"asks":"alignment","intent":"address_human","message":"Shall it begin?"},"text":"so it is"}},"tree":null}}]}}
{"at":1763037114473,"event":{"Agent":[{"session":1,"incarnation":1},{"Gauged":{"used":450903,"window":200000,"source":"rehearsal"}}]}}
{"at":1763037116492,"event":{"Agent":[{"session":1,"incarnation":1},{"Rested":{"turn":2,"end":"Interrupted","tree":null}}]}}
{"at":1763037200991,"event":{"Agent":[{"session":1,"incarnation":1},{"Lost":{"why":"exit 1"}}]}}
{"at":1763037201991,"event":"Alarm"}
{"at":1763073307963,"event":{"Agent":[{"session":1,"incarnation":2},{"Lost":{"why":"exit 1"}}]}}
{"at":1763073312963,"event":"Alarm"}
{"at":1763181785286,"event":{"Human":{"inbox_id":"l9","actor":"human:cli:ann","written":1763181785286,"action":{"say_to_orchestrator":"to the left"}}}}
{"at":1763181807379,"event":{"Agent":[{"session":1,"incarnation":3},{"Lost":{"why":"exit 1"}}]}}
{"at":1763217823035,"event":{"Agent":[{"session":1,"incarnation":3},{"Rested":{"turn":3,"end":"Interrupted","tree":null}}]}}
{"at":1763218423035,"event":"Alarm"}
{"at":1763219023035,"event":"Alarm"}
{"at":1763219623035,"event":"Alarm"}
"#,
    );
}

/// The same, with words that waited before the mission began.
#[test]
fn world_47174_keeps_its_law() {
    sim::world::again(
        r#"
{"at":1763000000000,"event":{"Opened":{"mission":"world","seed":47174,"scroll":{"name":"scroll.md","path":".arbiter/scroll.md","text":"Build the bridge."},"consent":"ask","checks":[["check","0"]],"check_limit_ms":60000,"seats":{"arbiter":{"provider":"world"},"orchestrator":{"provider":"world"},"verifier":{"provider":"world"}},"providers":{"world":{"steers":true}},"warnings":{"first":70,"last":85,"policy":"warn"},"patience":{"silence_ms":600000,"tool_ms":1800000}}}}
{"at":1763000005257,"event":{"Workshop":{"Settled":{"folder":"clone","base":"c0","branch":"arbiter/world"}}}}
{"at":1763037087408,"event":{"Agent":[{"session":1,"incarnation":1},{"Rested":{"turn":1,"end":{"Spoke":{"output":{"asks":"alignment","intent":"address_human","message":"Shall it begin?"},"text":"so it is"}},"tree":null}}]}}
{"at":1763375856377,"event":{"Human":{"inbox_id":"l15","actor":"human:cli:ann","written":1763340079348,"action":{"say":"go ahead"}}}}
{"at":1763375856377,"event":{"Agent":[{"session":1,"incarnation":1},{"Lost":{"why":"exit 1"}}]}}
{"at":1763375857377,"event":"Alarm"}
{"at":1763375864225,"event":{"Agent":[{"session":1,"incarnation":2},{"Lost":{"why":"exit 1"}}]}}
{"at":1763376060770,"event":{"Agent":[{"session":1,"incarnation":2},{"Gauged":{"used":240927,"window":200000,"source":"rehearsal"}}]}}
{"at":1763412247372,"event":{"Agent":[{"session":1,"incarnation":2},{"Rested":{"turn":2,"end":"Interrupted","tree":null}}]}}
{"at":1763413678829,"event":"Alarm"}
{"at":1763414278829,"event":"Alarm"}
{"at":1763414293829,"event":"Alarm"}
{"at":1763414907022,"event":{"Agent":[{"session":1,"incarnation":2},{"Rested":{"turn":3,"end":"Interrupted","tree":null}}]}}
{"at":1763414980998,"event":{"Human":{"inbox_id":"l25","actor":"human:cli:ann","written":1763414980998,"action":{"say":"go ahead"}}}}
{"at":1763415210092,"event":{"Agent":[{"session":1,"incarnation":2},{"Lost":{"why":"it died in the middle of a line"}}]}}
"#,
    );
}

/// A model is asked, then the agents are read anew for a run that is no longer wanted, and the house falls: what was
/// asked under one number is not asked again in other words.
#[test]
fn world_5316673_keeps_its_law() {
    sim::world::again(
        r#"
{"at":1763000000000,"event":{"Opened":{"mission":"world","seed":5316673,"scroll":{"name":"scroll.md","path":".arbiter/scroll.md","text":"Build the bridge."},"consent":"ask","checks":[],"check_limit_ms":60000,"seats":{"arbiter":{"provider":"world"},"orchestrator":{"provider":"world"},"verifier":{"provider":"world"}},"providers":{"other":{"steers":false},"world":{"steers":true}},"warnings":{"first":70,"last":85,"policy":"off"},"patience":{"silence_ms":600000,"tool_ms":1800000},"away":"petition","agents":[{"name":"planner","displayName":"planner","prompt":"You are the planner.","part":"planner","tools":{"allowed":["Read","Glob","Grep","Bash"]},"transitions":{"onSuccess":"developer","onFailure":"arbiter","onMaxIterations":"arbiter"},"limits":{"maxToolCalls":20},"provider":{},"memory":true,"input":"full","internal":false},{"name":"developer","displayName":"developer","prompt":"You are the developer.","tools":{},"transitions":{"onSuccess":"arbiter","onFailure":"arbiter","onMaxIterations":"arbiter"},"limits":{"maxIterations":2},"provider":{},"memory":true,"input":"full","internal":false},{"name":"tester","displayName":"tester","prompt":"You are the tester.","tools":{},"transitions":{"onSuccess":"arbiter","onFailure":"arbiter","onMaxIterations":"arbiter","custom":[{"when":"someFailures","target":"developer"},{"when":"allFailed","target":"developer"}]},"limits":{"maxIterations":2},"provider":{},"response":{"properties":{"verdict":{"enum":["allPassed","someFailures","allFailed","noTests"],"type":"string"}},"type":"object"},"memory":true,"input":"full","internal":false},{"name":"reviewer","displayName":"reviewer","prompt":"You are the reviewer.","tools":{"allowed":["Read","Glob","Grep","Bash"]},"transitions":{"onSuccess":"arbiter","onFailure":"arbiter","onMaxIterations":"arbiter","custom":[{"when":"approved","target":"complete"},{"when":"needsChanges","target":"developer"}]},"limits":{"maxIterations":5,"timeoutMs":300000},"provider":{},"response":{"properties":{"verdict":{"enum":["approved","needsChanges","blocked"],"type":"string"}},"type":"object"},"memory":true,"input":"full","internal":false},{"name":"verifier","displayName":"verifier","prompt":"You are the verifier.","part":"verifier","tools":{"allowed":["Read","Glob","Grep","Bash"]},"transitions":{"onSuccess":"arbiter","onFailure":"arbiter","onMaxIterations":"arbiter"},"limits":{"maxIterations":2},"provider":{},"memory":true,"input":"full","internal":true},{"name":"memory-keeper","displayName":"memory-keeper","prompt":"You are the memory-keeper.","part":"keeper","tools":{"allowed":["Read","Glob","Grep","Bash"]},"transitions":{"onSuccess":"arbiter","onFailure":"arbiter","onMaxIterations":"arbiter"},"limits":{},"provider":{},"memory":true,"input":"full","internal":true}],"conducting":{"defaultAgent":"planner","limits":{"maxIterations":12,"maxFailures":8,"budgetMicrousd":1500,"budgetTokens":20000},"decider":{"provider":"rehearsal","maxTokens":1024,"cache":false},"routes":["world","other"],"keeping":"each"}}}}
{"at":1763000008072,"event":{"Workshop":{"Settled":{"folder":"clone","base":"c0","branch":"arbiter/world"}}}}
{"at":1763000008838,"event":{"Conductor":{"Prepared":{"run":1,"agents":null,"notes":null,"faults":[],"tree":{"commit":"c0","dirty":false,"fingerprint":"f0"}}}}}
{"at":1763000257376,"event":{"Agent":[{"session":1,"incarnation":1},{"Rested":{"turn":1,"end":{"Spoke":{"output":{"outcome":"success","plan":{"confidence":19,"steps":[{"description":"Build a part"},{"dependsOn":[1],"description":"Build a part"},{"dependsOn":[2],"description":"Build a part"},{"dependsOn":[3],"description":"Test it"},{"dependsOn":[4],"description":"Review it"}]},"summary":"A plan."},"text":"so it is"}},"tree":{"commit":"c0","dirty":false,"fingerprint":"f0"}}}]}}
{"at":1763000258360,"event":{"Conductor":{"Inspected":{"run":1,"tree":{"commit":"c0","dirty":false,"fingerprint":"f0"},"files":[]}}}}
{"at":1763075910129,"event":{"Human":{"inbox_id":"l6","actor":"human:cli:ann","written":1763003849929,"action":"skip"}}}
{"at":1763075910171,"event":{"Conductor":{"Prepared":{"run":20,"agents":[],"notes":null,"faults":["tester.md:3: no such key"],"tree":{"commit":"c2","dirty":false,"fingerprint":"f2"}}}}}
{"at":1763075911811,"event":"Started"}
"#,
    );
}
