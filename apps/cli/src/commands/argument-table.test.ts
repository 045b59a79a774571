/** Every command with good and bad words: exit code, stdout, stderr, against a real HTTP server. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Called, callCli } from "../call-cli.test-kit.ts";
import { type LocalServer, startLocalServer } from "../local-server.test-kit.ts";
import { PATCH } from "../memory-device.test-kit.ts";
import { ACCOUNT_COMMANDS } from "../program/account-commands.ts";
import { ALL_COMMANDS } from "../program/all-commands.ts";
import { PACKET_COMMANDS } from "../program/packet-commands.ts";

let server: LocalServer;
let repo = "";
beforeEach(async () => {
  server = await startLocalServer();
  repo = mkdtempSync(join(tmpdir(), "codehands-repo-"));
  execFileSync("git", ["init", "-q", repo]);
});
afterEach(async () => {
  await server.close();
  rmSync(repo, { recursive: true, force: true });
});

const call = (line: string | string[], input?: string): Promise<Called> =>
  callCli(typeof line === "string" ? line.split(" ") : line, {
    home: server.home,
    cwd: repo,
    ...(input !== undefined && { input }),
  });

const JSON_LINE = /^\{.*\}\n$/;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\n$/;

const GOOD: [string, RegExp | string][] = [
  ["run -d fix-it", ID],
  ["run -d --agent sample --model m --budget 1.5 --base main --name slug -q fix-it", ID],
  ["run -d --json fix-it", /"status":"queued"/],
  ["ls", /^STATUS +ID +TITLE/],
  ["ls --json", /^\{"sessions":\[.*"nextCursor":null/],
  ["ls -q --waiting", "3f0f3e1e-5a1c-4d1e-9b1a-0c1d2e3f4a5b\n"],
  ["ls --status running,stopped -q", /^7abc0000.*\n9def0000/],
  ["ls --status running --status stopped -q", /^7abc0000.*\n9def0000/],
  ["ls --all-repos --since 7d --search slow --device d1 --limit 10", /slow work/],
  ["show 3f0f", /add PKCE to login/],
  ["show @waiting -q", "3f0f3e1e-5a1c-4d1e-9b1a-0c1d2e3f4a5b\n"],
  ["show codehands/add-pkce-to-login-3f0f3e1e --json", /^\{"id":"3f0f3e1e/],
  ["logs 3f0f", ""],
  ["logs 3f0f -n 5 --since-seq 0 --type file.changed,message --json", ""],
  ["logs 3f0f -f", ""],
  ["logs 3f0f --raw", ""],
  ["diff 3f0f", PATCH],
  ["diff 3f0f --patch --file login.ts", PATCH],
  ["diff 3f0f --stat", " M login.ts  +1 -1\n1 file +1 -1\n"],
  ["diff 3f0f --name-only", "login.ts\n"],
  ["diff 3f0f --json", /^\{"patch":/],
  ["approve 3f0f -m done", "✔ Approved: commit cccccccccccc on codehands/add-pkce-to-login-3f0f3e1e\n"],
  [
    "approve 3f0f --if-match aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa --allow-secrets --allow-large --allow-shrunk --absorb-nested -q",
    `${"c".repeat(40)}\n`,
  ],
  ["reject 3f0f --reason no", "✖ Rejected 3f0f. Its work is in the trash.\n"],
  ["discard 9def", "✖ Discarded 9def. Its work is in the trash.\n"],
  ["stop 7abc --now", "■ Stopped 7abc. Its work is kept.\n"],
  ["stop --all --json", /^\{"sessions":\[\{"id":"7abc0000.*"status":"stopped"/],
  ["resume 9def -d --budget 4", ""],
  ["resume 9def -d --json go-on", /"status":"running"/],
  ["wait 3f0f", "◆ 3f0f3e1e  waiting  add-pkce-to-login\n"],
  ["wait 3f0f 3f0f3e1e --any --timeout 5 --json", /^\{"sessions":\[\{"id":"3f0f3e1e[^\]]*\],"nextCursor":null\}\n$/],
  ["clean", "Removed 1 worktree, 1.5 kB.\n  /w/old\n"],
  ["clean --dry-run --stale 14d --orphans", "Would remove 1 worktree, 1.5 kB.\n  /w/old\n"],
  ["daemon status", /^● The daemon runs: pid \d+, http:\/\/127\.0\.0\.1:\d+, version 0\.1\.0/],
  ["daemon status --json", /^\{"running":true,"pid":\d+,"url":"http:/],
  ["daemon start -q", /^\d+\n$/],
  ["doctor --fix", /^✔ ok +git: 2\.39\.5/],
  ["doctor --fix --probe --json", /^\{"ok":true,"checks":\[\{"id":"git"/],
  ["repos ls", /^REPO +PATH/],
  ["repos ls --json", /^\{"repos":\[\{"key":"0123456789ab"/],
  ["repos trust -y", /^Trusted: the settings in /],
  ["repos trust . -y --json", /"trusted":true/],
  ["repos untrust", /^Not trusted any more/],
  ["repos relocate /home/me/shop .", /^Moved: \/home\/me\/shop is now /],
  ["config list --show-origin", /budgetUsd +default +0\.5/],
  ["config list --json", /^\{"settings":\[/],
  ["config get budgetUsd", "0.5\n"],
  ["config get budgetUsd --show-origin", "0.5\tdefault\n"],
  ["config set budgetUsd 3", "budgetUsd = 3\n"],
  ["config set testCommands pnpm-test make-test", 'testCommands = ["pnpm-test","make-test"]\n'],
  ["config set agent codex --json", '{"key":"agent","value":"codex","origin":"file"}\n'],
  ["config unset budgetUsd", "budgetUsd = 0.5 (default)\n"],
  ["usage --by day --since 2026-01-01", /^DAY +SESSIONS/],
  ["usage --json", /^\{"by":"day","rows":\[/],
  ["sync status", "○ Off: this device is not signed in.\n"],
  ["sync status --json", /^\{"state":"off".*"commands":\[\]\}\n$/],
  ["help pair", /^Usage: codehands pair [^]*approve/],
  ["help pair approve", /^Usage: codehands pair approve/],
  ["help serve", /^Usage: codehands serve [^]*--restored[^]*password/],
  ["help serve password", /^Usage: codehands serve password [^]*--data-dir[^]*--password-stdin/],
  ["completion bash", /^# Completion of codehands for bash/],
  ["completion zsh", /^#compdef codehands/],
  ["completion fish", /complete -c codehands/],
  ["version", /^\d+\.\d+\.\d+\n$/],
  ["--version", /^\d+\.\d+\.\d+\n$/],
  ["version --json", /^\{"version":"\d/],
  ["help", /^Usage: codehands/],
  ["help run", /^Usage: codehands run/],
  ["help daemon start", /^Usage: codehands daemon start/],
  ["help exit-codes", /^Exit codes\n {2}0 {4}done/],
  ["help environment", /CODEHANDS_HOME/],
  ["help security", /agent_may_not/],
  ["--help", /^Usage: codehands/],
  ["ls --help", /^Usage: codehands ls/],
  ["--json show 3f0f", JSON_LINE],
];

const BAD: [string, number, string][] = [
  ["serve --port many", 2, "--port takes a whole number from 0 to 65535, not 'many'."],
  ["serve --tls cert.pem", 2, "--tls takes two files: --tls CERT KEY."],
  ["serve key.pem", 2, "'key.pem' is not understood: serve takes options only."],
  ["serve password", 2, "Missing required argument 'email'."],
  ["serve password a@b.org", 2, "There is nobody to ask for the new password. Give it on stdin with --password-stdin."],
  ["serve password a@b.org --password x", 2, "Unknown option '--password'"],
  ["serve password a@b.org secret", 2, "Too many arguments for 'password'. Expected 1 argument but got 2."],
  ["serve password a@b.org --port 1", 2, "Unknown option '--port'"],
  ["serve --port 1 password a@b.org", 2, "--port is no option of 'serve password'."],
  ["undo 3f0f", 2, "Unknown command 'undo'."],
  ["codex", 2, "Unknown command 'codex'."],
  ["run", 2, "There is no prompt. Give it as an argument, or pipe it in."],
  ["run x --agent gpt", 2, "--agent takes one of claude-code, codex, sample, not 'gpt'."],
  ["run x --budget 0", 2, "--budget takes a number above 0 and at most 100000, not '0'."],
  ["run x --budget -1", 2, "--budget takes a number above 0 and at most 100000, not '-1'."],
  ["run x -d --wait", 2, "--detach and --wait cannot go together."],
  ["run x y", 2, "Too many arguments for 'run'. Expected 1 argument but got 2."],
  ["run x --modle m", 2, "Unknown option '--modle' (Did you mean --model?)"],
  ["run x -C /nowhere", 2, "There is no folder /nowhere."],
  ["run x -C /", 2, "/ is not in a git repository. Name one with -C <dir>."],
  [
    "ls --status done",
    2,
    "--status takes one of queued, running, stopped, awaiting_approval, approved, rejected, failed, not 'done'.",
  ],
  ["ls --since yesterday", 2, "--since takes a length of time like 7d or a date like 2026-01-31, not 'yesterday'."],
  ["ls --limit 0", 2, "--limit takes a whole number from 1 to 500, not '0'."],
  ["show", 2, "Missing required argument 'session'."],
  [
    "show ffff",
    3,
    "There is no session 'ffff'. Name it by its id, by at least four characters of it, by its branch, @last or @waiting.",
  ],
  ["logs ffff", 3, "There is no session 'ffff'."],
  ["logs 3f0f --type nope", 2, "--type takes one of task.started"],
  ["diff 3f0f --stat --patch", 2, "--stat, --name-only and --patch cannot go together."],
  ["diff 3f0f --file absent.ts", 3, "The change does not touch absent.ts."],
  ["approve 7abc", 5, "Session 7abc is running, so there is nothing to approve yet."],
  ["approve 9def", 5, "Session 9def is stopped, so its agent has not finished: resume it first."],
  ["approve 3f0f --if-match abc", 2, "--if-match takes a whole tree id, not 'abc'."],
  [
    `approve 3f0f --if-match ${"b".repeat(40)}`,
    5,
    "Session 3f0f holds another change now than the one you reviewed. Nothing was approved.",
  ],
  ["reject 9def", 5, "Session 9def is stopped, so its agent has not finished: discard throws its work away."],
  ["discard 7abc", 5, "Session 7abc is running, so stop it first."],
  ["stop", 2, "Name one session, or use --all."],
  ["stop 7abc --all", 2, "Name one session, or use --all."],
  ["stop 3f0f", 5, "Session 3f0f is awaiting approval, so there is nothing to stop."],
  ["resume 7abc", 5, "Session 7abc is running, so it cannot be resumed."],
  ["wait", 2, "Missing required argument 'session'."],
  ["wait 7abc --timeout 0.05", 8, "After 0.05 s 7abc0000 has not finished. Nothing was stopped."],
  ["wait 3f0f --timeout soon", 2, "--timeout takes a number above 0"],
  ["clean --stale old", 2, "--stale takes a length of time like 14d, 36h or 2w, not 'old'."],
  ["daemon", 2, "'daemon' needs one of: start, stop, restart, status, logs."],
  ["daemon dance", 2, "Unknown command 'dance'."],
  ["daemon logs", 3, "There is no log yet in "],
  ["repos trust", 2, "To trust these settings without being asked, add -y."],
  ["repos relocate /gone .", 5, "No repository is known at /gone."],
  ["config get nope", 3, "There is no setting 'nope'."],
  ["config set nope 1", 2, "There is no setting 'nope'."],
  ["config set agent", 2, "Missing required argument 'value'."],
  ["config unset nope", 2, "There is no setting 'nope'."],
  ["usage --by moon", 2, "--by takes one of day, agent, repo, device, not 'moon'."],
  ["signup --server x --password-stdin", 2, "'x' is not the address of a cloud."],
  ["login", 2, "There is nobody to ask for the password. Give it on stdin with --password-stdin."],
  ["recover --email x", 2, "There is nobody to ask for the password."],
  ["recover --renew", 4, "This device is not signed in."],
  ["recover --renew --email x", 2, "--renew and --email cannot go together: this device is signed in."],
  ["pair now", 2, "Too many arguments for 'pair'. Expected 0 arguments but got 1."],
  ["pair approve", 2, "Missing required argument 'code'."],
  ["pair approve ABCD-EFGH --digits 1", 2, "--digits takes the six digits that the new device shows."],
  ["pair approve ABCD-EFGH --digits 123456", 4, "This device is not signed in."],
  ["devices", 2, "'devices' needs one of: ls, rename, revoke, verify."],
  ["devices ls", 4, "This device is not signed in to an account."],
  ["devices rename", 2, "Missing required argument 'name'."],
  ["devices revoke x -y", 4, "This device is not signed in to an account."],
  ["devices verify", 4, "This device is not signed in to an account."],
  ["sync", 2, "'sync' needs one of: status, now, pause, resume, reset, acknowledge, identity."],
  ["sync status now", 2, "Too many arguments for 'status'. Expected 0 arguments but got 1."],
  ...["now", "pause", "resume", "reset", "acknowledge", "identity new"].map((word): [string, number, string] => [
    `sync ${word}`,
    4,
    "This device is not signed in to an account.",
  ]),
  ["sync identity", 2, "Missing required argument 'which'."],
  ["withdraw ffff", 3, "There is no command 'ffff' among those that were sent from here in the last 7 days."],
  ["reject 3f0f --timeout 3", 2, "--timeout goes with --wait."],
  ["run x --device laptop", 4, "This device is not signed in to an account."],
  ["completion tcsh", 2, "There is no completion for 'tcsh', only for bash, zsh, fish."],
  ["help nonsense", 2, "There is no help for 'nonsense'."],
];

describe("good words", () => {
  test.each(GOOD)("codehands %s", async (line, stdout) => {
    const called = await call(line);
    expect({ exitCode: called.exitCode, stderr: called.stderr.includes("error:") }).toEqual({
      exitCode: 0,
      stderr: false,
    });
    if (typeof stdout === "string") expect(called.stdout).toBe(stdout);
    else expect(called.stdout).toMatch(stdout);
  });
});

describe("bad words", () => {
  test.each(BAD)("codehands %s", async (line, exitCode, sentence) => {
    const called = await call(line);
    expect(called.stdout).toBe("");
    expect(called.exitCode).toBe(exitCode);
    expect(called.stderr).toContain(`error: ${sentence}`);
    const inJson = await call(`${line} --json`);
    const lines = inJson.stderr.trim().split("\n");
    expect(lines).toHaveLength(1);
    const { error } = JSON.parse(lines[0] ?? "") as {
      error: { code: string; exitCode: number; message: string; hint: string | null };
    };
    expect(error).toMatchObject({ exitCode, message: expect.stringContaining(sentence) });
    if (error.hint !== null) expectCommand(error.hint);
  });

  test("doctor exits 1 when something needs attention, and says what repairs it", async () => {
    const called = await call("doctor");
    expect(called.exitCode).toBe(1);
    expect(called.stdout).toContain("! warn  old worktrees: 7   fix: codehands clean --stale 14d");
  });
});

/** Every hint names a command that exists, or asks for help. */
function expectCommand(hint: string): void {
  const [program, first = "", second = ""] = hint.split(" ");
  expect(program).toBe("codehands");
  const paths = ALL_COMMANDS.map((spec) => spec.path);
  const known = paths.includes(first) || paths.includes(`${first} ${second}`);
  const help = first === "--help" || second === "--help" || hint.endsWith("--help");
  expect(known || help, hint).toBe(true);
}

test("every command stands in both tables, or needs no more than good words", () => {
  const missingIn = (lines: string[]): string[] =>
    ALL_COMMANDS.map((spec) => spec.path).filter(
      (path) => !lines.some((line) => line === path || line.startsWith(`${path} `)),
    );
  // These end a process: they are tested with a real one. Those about an account and packets have tests of their own.
  const packets = PACKET_COMMANDS.map((spec) => spec.path);
  const account = ACCOUNT_COMMANDS.map((spec) => spec.path).filter((path) => path !== "sync status");
  const processes = ["daemon stop", "daemon restart", "daemon logs", "serve", "serve password"];
  expect(missingIn(GOOD.map(([line]) => line)).sort()).toEqual([...processes, ...account, ...packets].sort());
  // No word that these take can be wrong by itself.
  const free = ["daemon start", "daemon stop", "daemon restart", "daemon status", "doctor", "version"];
  const open = ["repos ls", "repos untrust", "config list", "whoami", "logout"];
  expect(missingIn(BAD.map(([line]) => line)).sort()).toEqual([...free, ...open, ...packets].sort());
});
