import { expect, it } from "vitest";
import { matchKeyOf, remoteWithoutSecrets } from "./name-remote.ts";

it.each([
  ["https://me:pass@github.com/acme/app.git", "https://github.com/acme/app.git"],
  ["https://token@host.example/a?x=secret#y", "https://host.example/a"],
  ["ssh://git@github.com:22/acme/app", "ssh://github.com:22/acme/app"],
  ["git@github.com:acme/app.git", "git@github.com:acme/app.git"],
  ["/srv/git/app@2.git", "/srv/git/app@2.git"],
])("a remote is shown without its secrets: %s", (remote, shown) => {
  expect(remoteWithoutSecrets(remote)).toBe(shown);
});

it("every way to write one origin gives one match key", () => {
  const keys = [
    "https://github.com/acme/App.git",
    "https://GitHub.com/acme/App/",
    "git@github.com:acme/App.git",
    "ssh://git@github.com/acme/App",
    "ssh://git@github.com:22/acme/App.git",
    "github.com:/acme/App",
  ].map((remote) => matchKeyOf({ remote: remoteWithoutSecrets(remote), rootCommit: "c0", repoKey: "k" }));
  expect(new Set(keys)).toEqual(new Set(["github.com/acme/App"]));
});

it.each([null, "/srv/git/app.git", "../app", "file:///srv/git/app"])(
  "an origin that only this machine knows is no match: %s",
  (remote) => {
    expect(matchKeyOf({ remote, rootCommit: "c0", repoKey: "k" })).toBe("root:c0");
    expect(matchKeyOf({ remote, rootCommit: null, repoKey: "k" })).toBe("key:k");
  },
);
