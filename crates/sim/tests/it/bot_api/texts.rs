//! Texts and buttons: how HTML is read, what is cut, what is refused.

use serde_json::{Value, json};
use sim::bot_api::BotApi;

use super::client::{ok, refused};

fn api() -> BotApi {
    let api = BotApi::start();
    api.user(7).has_started();
    api
}

/// The text and its entities, in short.
fn html(api: &BotApi, html: &str) -> String {
    let message = ok(api, "sendMessage", &json!({ "chat_id": 7, "text": html, "parse_mode": "HTML" }));
    let entities = message["entities"].as_array().cloned().unwrap_or_default();
    let entities = entities.iter().map(|entity| {
        let words = |name: &str| entity[name].as_str().map(|word| format!(" {word}")).unwrap_or_default();
        let (url, language) = (words("url"), words("language"));
        format!(
            " {}@{}+{}{url}{language}",
            entity["type"].as_str().unwrap_or("?"),
            entity["offset"],
            entity["length"]
        )
    });
    format!("{:?}{}", message["text"].as_str().unwrap_or_default(), entities.collect::<String>())
}

fn refusal(api: &BotApi, html: &str) -> String {
    refused(api, "sendMessage", &json!({ "chat_id": 7, "text": html, "parse_mode": "HTML" }))
}

#[test]
fn tags_become_entities() {
    let api = api();
    assert_eq!(html(&api, "a <b>b <i>c</i></b>"), r#""a b c" bold@2+3 italic@4+1"#);
    assert_eq!(html(&api, "<strong>🎉</strong>x<em>y</em>"), r#""🎉xy" bold@0+2 italic@3+1"#);
    assert_eq!(html(&api, "<pre><code class=\"language-rust\">x</code></pre>"), r#""x" pre@0+1 rust"#);
    assert_eq!(
        html(&api, "<a href=\"https://x.org/?a=1&amp;b\">x</a>"),
        r#""x" text_link@0+1 https://x.org/?a=1&b"#
    );
    assert_eq!(html(&api, "<a href='nonsense'>x</a>"), r#""x""#);
    assert_eq!(
        html(&api, "<tg-spoiler>x</tg-spoiler><span class=\"tg-spoiler\">y</span>"),
        r#""xy" spoiler@0+1 spoiler@1+1"#
    );
    assert_eq!(html(&api, "<blockquote expandable>x</blockquote>"), r#""x" expandable_blockquote@0+1"#);
    assert_eq!(html(&api, "<U>x</u><b></b><s> </s>y"), r#""x y" underline@0+1"#);
}

#[test]
fn signs_come_back_and_a_bare_ampersand_stays() {
    let api = api();
    assert_eq!(html(&api, "&lt;b&gt; &amp;amp; &quot;&#65;&#x42;"), r#""<b> &amp; \"AB""#);
    assert_eq!(html(&api, "R&D &copy; &apos; & &#0;"), r#""R&D &copy; &apos; & &#0;""#);
}

#[test]
fn broken_html_is_refused_with_its_place() {
    let api = api();
    for (html, why) in [
        ("a < b", "Unsupported start tag \"\" at byte offset 2"),
        ("a <", "Unclosed start tag at byte offset 2"),
        ("é<x>", "Unsupported start tag \"x\" at byte offset 2"),
        ("<b>x", "Can't find end tag corresponding to start tag b"),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        ("<b><i>x</b></i>", "Unmatched end tag at byte offset 7, expected \"</i>\", found \"</b>\""),
        ("<b>x</b", "Unclosed end tag at byte offset 4"),
        ("<span>x</span>", "Tag \"span\" must have class \"tg-spoiler\" at byte offset 0"),
        (
            "<a href>x</a>",
            "Expected equal sign in declaration of an attribute of the tag \"a\" at byte offset 0",
        ),
    ] {
        assert_eq!(refusal(&api, html), format!("400 Bad Request: can't parse entities: {why}"), "{html}");
    }
}

#[test]
fn lengths_are_counted_after_parsing() {
    let api = api();
    let fits = format!("<b>{}</b>", "&amp;".repeat(4_096));
    assert!(html(&api, &fits).ends_with(" bold@0+4096"));
    assert_eq!(refusal(&api, &"x".repeat(4_097)), "400 Bad Request: message is too long");
    assert_eq!(refusal(&api, &"🎉".repeat(2_049)), "400 Bad Request: message is too long");
    assert_eq!(refusal(&api, ""), "400 Bad Request: message text is empty");
    assert_eq!(refusal(&api, " \n<b> </b>"), "400 Bad Request: text must be non-empty");
}

#[test]
fn texts_are_trimmed_and_cleaned() {
    let api = api();
    assert_eq!(html(&api, "\n  a\tb\r\n\u{202e}<b>c</b> \n "), r#""a b\nc" bold@4+1"#);
    assert_eq!(html(&api, "  <b> a </b>"), r#""a" bold@0+1"#.replace("\"a\" bold@0+1", "\" a\" bold@0+2"));
}

#[test]
fn entities_are_in_range_and_a_hundred() {
    let api = api();
    let many = "<b>x</b> ".repeat(120);
    assert_eq!(html(&api, &many).matches("bold@").count(), 100);
    let given = |offset: i64, length: i64| json!({ "chat_id": 7, "text": "a🎉", "entities": [{ "type": "bold", "offset": offset, "length": length }] });
    assert_eq!(ok(&api, "sendMessage", &given(1, 2))["entities"][0]["length"], 2);
    assert!(
        refused(&api, "sendMessage", &given(1, 3))
            .contains("entity beginning at UTF-16 offset 1 ends after the end")
    );
    assert!(refused(&api, "sendMessage", &given(0, 2)).contains("in a middle of a UTF-16 symbol"));
}

fn buttons(data: &[&str]) -> Value {
    let rows: Vec<Value> = data.iter().map(|data| json!([{ "text": "x", "callback_data": data }])).collect();
    json!({ "chat_id": 7, "text": "x", "reply_markup": { "inline_keyboard": rows } })
}

#[test]
fn buttons_have_bounds() {
    let api = api();
    ok(&api, "sendMessage", &buttons(&["x".repeat(64).as_str()]));
    assert_eq!(
        refused(&api, "sendMessage", &buttons(&["x".repeat(65).as_str()])),
        "400 Bad Request: BUTTON_DATA_INVALID"
    );
    assert_eq!(
        refused(&api, "sendMessage", &buttons(&[""])),
        "400 Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"
    );
    ok(&api, "sendMessage", &buttons(&vec!["x"; 100]));
    for data in
        [vec!["x".to_owned(); 101], vec!["x".repeat(64); 99].into_iter().map(|data| data + "").collect()]
    {
        let mut body = buttons(&data.iter().map(String::as_str).collect::<Vec<_>>());
        if data.len() < 100 {
            body["reply_markup"]["inline_keyboard"][0][0]["text"] = json!("y".repeat(5_000));
        }
        assert_eq!(refused(&api, "sendMessage", &body), "400 Bad Request: reply markup is too long");
    }
    let text = json!({ "chat_id": 7, "text": "x", "reply_markup": "{\"inline_keyboard\":[[{\"text\":\"A\",\"callback_data\":\"a\"}]]}" });
    assert_eq!(ok(&api, "sendMessage", &text)["reply_markup"]["inline_keyboard"][0][0]["callback_data"], "a");
}
