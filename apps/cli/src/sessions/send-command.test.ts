import { ApiError, createLocalClient, type LocalClient } from "@codehands/api/client";
import { expect, test } from "vitest";
import type { DaemonDoor } from "../connect/daemon-door.ts";
import { askTwice } from "./send-command.ts";

/** A door behind which each daemon is another one. */
function doorOfMany() {
  const opened: LocalClient[] = [];
  const client = async () => {
    opened.push(createLocalClient({ url: `http://127.0.0.1:${opened.length + 1}`, token: "t" }));
    return opened.at(-1) as LocalClient;
  };
  return { opened, cli: { daemon: { client } as DaemonDoor } };
}

test("F01 a daemon that dies under a question is asked again, as the one that was started for it", async () => {
  const { cli, opened } = doorOfMany();
  const asked: LocalClient[] = [];
  const answer = await askTwice(cli, async (client) => {
    asked.push(client);
    if (asked.length === 1) throw new ApiError("unreachable", "gone");
    return "answer";
  });
  expect(answer).toBe("answer");
  expect(asked).toEqual(opened);
  expect(opened).toHaveLength(2);
});

test("any other failure is told at once, and a second death too", async () => {
  const { cli, opened } = doorOfMany();
  const fail = (code: "not_found" | "unreachable") => askTwice(cli, () => Promise.reject(new ApiError(code, code)));
  await expect(fail("not_found")).rejects.toMatchObject({ code: "not_found" });
  expect(opened).toHaveLength(1);
  await expect(fail("unreachable")).rejects.toMatchObject({ code: "unreachable" });
  expect(opened).toHaveLength(3);
});
