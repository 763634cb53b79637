//! What was filmed, as the camera prints it: for each frame a line `frame MILLISECONDS LINES`, then so many lines of a
//! sheet.

use crate::pictures::sheet::Sheet;

/// A screen, and when it stood there first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    pub at_ms: u64,
    pub sheet: Sheet,
}

/// Reads a whole reel. All frames have one size, or it is none.
pub fn read(text: &str) -> Result<Vec<Frame>, String> {
    let mut frames: Vec<Frame> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let (at_ms, count) = head(line).ok_or_else(|| format!("`{line}` does not begin a frame"))?;
        let sheet: Vec<&str> = lines.by_ref().take(count).collect();
        let sheet: Sheet = (sheet.join("\n") + "\n").parse()?;
        if let Some(last) = frames.last() {
            let size = |sheet: &Sheet| (sheet.width, sheet.rows.len());
            if size(&last.sheet) != size(&sheet) {
                return Err(format!("the frame at {at_ms} ms has another size than the one before it"));
            }
            if last.at_ms > at_ms {
                return Err(format!("the frame at {at_ms} ms comes after one at {} ms", last.at_ms));
            }
        }
        frames.push(Frame { at_ms, sheet });
    }
    if frames.is_empty() { Err("there is no frame on it".to_owned()) } else { Ok(frames) }
}

fn head(line: &str) -> Option<(u64, usize)> {
    let (at, count) = line.strip_prefix("frame ")?.split_once(' ')?;
    Some((at.parse().ok()?, count.parse().ok()?))
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Frames of one row each, in plain ink.
    pub fn frames(rows: &[(u64, &str)]) -> Vec<Frame> {
        let text = rows.iter().map(|(at, row)| format!("frame {at} 5\n4x1\n{row}\ninks\n\nlegend\n"));
        read(&text.collect::<String>()).unwrap()
    }

    #[test]
    fn frames_come_in_order_with_their_times() {
        let frames = frames(&[(0, "frame"), (20, "b")].map(|(at, row)| (at, &row[..row.len().min(4)])));
        assert_eq!(frames.iter().map(|frame| frame.at_ms).collect::<Vec<_>>(), [0, 20]);
        assert_eq!(frames[0].sheet.rows[0][0].symbol, "f");
    }

    #[test]
    fn what_is_no_reel_says_why() {
        let one = "frame 9 5\n2x1\na\ninks\n\nlegend\n";
        for (text, told) in [
            ("", "there is no frame on it"),
            ("a film", "`a film` does not begin a frame"),
            ("frame 1 9\n2x1\n", "the row is missing"),
            (
                &(one.to_owned() + &one.replace("2x1", "3x1")),
                "the frame at 9 ms has another size than the one before it",
            ),
            (&(one.to_owned() + &one.replace(" 9 ", " 8 ")), "the frame at 8 ms comes after one at 9 ms"),
        ] {
            assert_eq!(read(text).unwrap_err(), told);
        }
    }
}
