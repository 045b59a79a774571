/**
 * Text from agents, files and repositories is hostile: it may carry escape sequences that write the
 * clipboard, fake links, move the cursor or reorder what a person reads. Nothing of it reaches a
 * terminal before it went through here. All patterns are linear: no sequence body crosses a control.
 */

// OSC, DCS, SOS, PM and APC with their body, when they are terminated on the same line.
const STRINGS =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0000-\u0008\u000a-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\|\u009c)/g;
// CSI with parameters, then any other escape sequence.
const SEQUENCES = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;
// What is left: C0 but tab and newline, DEL, C1.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// Marks that reorder or hide text: bidi controls, zero-width characters, line separators, tag characters.
const MARKS =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\u17b4|\u17b5|[\u180b-\u180d]|\u{e0001}|[\u{e0020}-\u{e007f}]/gu;
const REORDERING = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The text without control characters and escape sequences; newlines and tabs stay. */
export function stripControls(text: string): string {
  return text.replace(STRINGS, "").replace(SEQUENCES, "").replace(CONTROLS, "").replace(REORDERING, "");
}

/** One line of harmless text: controls gone, every run of white space one blank. */
export function stripToLine(text: string): string {
  return stripControls(text).replace(/\s+/g, " ").trim();
}

/**
 * The text with every control and every hidden or reordering mark spelled out, for a reviewer who
 * must see that it is there: `^[` for escape, `<U+202E>` for a mark. Newlines and tabs stay.
 */
export function showControls(text: string): string {
  return text.replace(CONTROLS, spellControl).replace(MARKS, spellMark);
}

function spellControl(found: string): string {
  const point = found.charCodeAt(0);
  if (point === 0x7f) return "^?";
  return point < 0x20 ? `^${String.fromCharCode(point + 0x40)}` : spellMark(found);
}

function spellMark(found: string): string {
  return `<U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;
}
