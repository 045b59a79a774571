import type { StampedPacket } from "./packet.ts";

/** The example of the format's own page, whose id is known to every implementation. */
export function example(): StampedPacket {
  return {
    id: "19483d7ee3c50e5f4ee2507643f205e9c6f28bc6f972e04bece928519b4a3374",
    version: 1,
    goal: "add PKCE to the OAuth login flow",
    context: "Zero new deps. The auth module must stay framework-agnostic.",
    progress: ["wrote the PKCE verifier/challenge helpers", "wired them into the /authorize handler"],
    state: {
      cursor: "src/auth/login.ts:142",
      approach: "S256 challenge",
      key_files: ["src/auth/login.ts", "src/auth/pkce.ts"],
    },
    next_steps: ["handle the token-exchange callback", "add tests for the verifier"],
    open_questions: ["should we fall back to plain challenge for legacy clients?"],
    artifacts: [{ path: "src/auth/pkce.ts", note: "new helper module" }],
    provenance: {
      handed_off_by: "claude-opus-4-8/claude-code",
      created: "2026-07-11T12:00:00Z",
      from_session: "sess-9f21",
    },
  };
}

/** The smallest packet: a goal and a provenance. */
export const small = (more: object = {}): Record<string, unknown> => ({
  goal: "g",
  provenance: { handed_off_by: "a", created: "2026-07-11T12:00:00Z" },
  ...more,
});

/** Objects in objects, `levels` of them, built without recursion. */
export function nested(levels: number): object {
  let value: object = {};
  for (let level = 1; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
