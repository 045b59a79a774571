/** One simple command of a shell line, and what stands behind it: `|`, `||`, `&&`, `;`, `&`, or nothing. */
export interface SimpleCommand {
  text: string;
  operator: string;
}

const WRAPPED = /^(?:\S*\/)?(?:ba|z|da)?sh\s+-l?c\s+(?:'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+))\s*$/;
const LEADING =
  /^(?:[A-Za-z_]\w*=(?:'[^']*'|"[^"]*"|[^\s'"]*)\s+|(?:time|command|exec|nice|env|sudo)\s+|timeout\s+(?:-[ks]\s+[^-\s]\S*\s+|-\S+\s+)*\d\S*\s+|[({!]\s*)/;

/**
 * Cuts a shell line into its simple commands. Quotes are respected, `bash -lc '…'` is opened, variables and words such
 * as `time` before a command are dropped. Good enough to know what runs, not a shell.
 */
export function splitCommand(line: string): SimpleCommand[] {
  const capped = line.slice(0, 20_000).trim();
  const inner = WRAPPED.exec(capped);
  if (inner !== null) return splitCommand((inner[1] ?? inner[2]?.replace(/\\(.)/g, "$1") ?? inner[3] ?? "").trim());

  const commands: SimpleCommand[] = [];
  let from = 0;
  let quote = "";
  for (let at = 0; at < capped.length; at += 1) {
    const character = capped[at] ?? "";
    if (character === "\\" && quote !== "'") at += 1;
    else if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === "'" || character === '"') quote = character;
    else {
      const operator = operatorAt(capped, at);
      if (operator === "") continue;
      push(commands, capped.slice(from, at), operator.trim() === "" ? ";" : operator);
      at += operator.length - 1;
      from = at + 1;
    }
  }
  push(commands, capped.slice(from), "");
  return commands;
}

function operatorAt(line: string, at: number): string {
  const two = line.slice(at, at + 2);
  if (two === "&&" || two === "||" || two === "|&") return two;
  const one = line[at] ?? "";
  // `2>&1`, `&>file` and `>|file` are redirections.
  if (one === "&") return line[at - 1] === ">" || line[at + 1] === ">" ? "" : one;
  if (one === "|") return line[at - 1] === ">" ? "" : one;
  return one === ";" || one === "\n" ? one : "";
}

function push(commands: SimpleCommand[], raw: string, operator: string): void {
  let text = raw.trim();
  for (let cut = LEADING.exec(text); cut !== null; cut = LEADING.exec(text)) text = text.slice(cut[0].length).trim();
  if (text.endsWith(")") && count(text, ")") > count(text, "(")) text = text.slice(0, -1).trim();
  if (text !== "") commands.push({ text, operator });
}

const count = (text: string, character: string): number => text.split(character).length - 1;
