import { describe, expect, it } from "vitest";
import { splitCommand } from "./split-command.ts";

const split = (line: string) =>
  splitCommand(line).map(({ text, operator }) => `${text}${operator === "" ? "" : ` ${operator}`}`);

describe("splitCommand", () => {
  it.each([
    ["npm test", ["npm test"]],
    ["a && b || c; d | e & f", ["a &&", "b ||", "c ;", "d |", "e &", "f"]],
    ["a\nb", ["a ;", "b"]],
    ["npm test 2>&1 | tail", ["npm test 2>&1 |", "tail"]],
    ["a &> out.txt", ["a &> out.txt"]],
    ["echo 'a && b' \"c | d\" e\\;f", ["echo 'a && b' \"c | d\" e\\;f"]],
    ["A=1 B='x y' time npm test", ["npm test"]],
    ["timeout -k 5 60 npm test", ["npm test"]],
    ["(cd a && npm test)", ["cd a &&", "npm test"]],
    ["echo (x)", ["echo (x)"]],
    ["/bin/bash -lc 'cd a && npm test'", ["cd a &&", "npm test"]],
    ['sh -c "echo \\"hi\\" ; ls"', ['echo "hi" ;', "ls"]],
    ["", []],
    [" && ", []],
    ["'open quote && b", ["'open quote && b"]],
  ])("%s", (line, commands) => {
    expect(split(line)).toEqual(commands);
  });

  it("opens shells in shells, and ends", () => {
    expect(split("bash -c \"sh -c 'npm test'\"")).toEqual(["npm test"]);
    expect(splitCommand("bash -c bash -c ".repeat(2000))).toHaveLength(1);
    expect(splitCommand(`timeout ${"-k ".repeat(5000)}x`)).toHaveLength(1);
  });
});
