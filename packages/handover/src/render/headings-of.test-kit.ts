/**
 * The headings of a Markdown text as CommonMark finds them outside of lists: ATX and setext, not inside of fenced code.
 * It also says what would swallow or split a briefing: HTML blocks, and a fence that stays open.
 */
export function structureOf(markdown: string): string[] {
  const found: string[] = [];
  let fence: string | null = null;
  let before = "";
  for (const line of markdown.split(/\r\n|[\n\r]/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence !== null) {
      if (mark?.[1]?.startsWith(fence) === true && mark[2]?.trim() === "") fence = null;
      continue;
    }
    if (mark !== null && !(mark[1]?.startsWith("`") === true && mark[2]?.includes("`") === true)) {
      fence = mark[1] ?? "```";
      found.push("fence");
    } else if (/^ {0,3}#{1,6}(?:[ \t]|$)/.test(line)) found.push(line.trim());
    else if (/^ {0,3}(?:=+|-+)[ \t]*$/.test(line) && before.trim() !== "") found.push(`setext ${before.trim()}`);
    else if (/^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(line)) found.push("rule");
    else if (/^ {0,3}<[A-Za-z/!?]/.test(line)) found.push("html");
    before = line;
  }
  if (fence !== null) found.push("open fence");
  return found;
}
