import { createHash } from "node:crypto";
import {
  canonicalize,
  completeness,
  computeId,
  fromClaudeCode,
  pack,
  resume,
  validatePacket,
} from "@codehands/handover";
import { alternate, type BenchRow, median, ms, ratio, time } from "./measure.ts";

const MEGABYTE = 1024 * 1024;
const SMALL_RUNS = 200;

/** A packet whose text has about this many bytes, of the mix that packets are made of. */
function packetOf(bytes: number) {
  const notes = Array.from({ length: Math.ceil(bytes / 70) }, (_, at) => `step ${at}: changed src/part-${at % 97}.ts`);
  const files = Array.from({ length: Math.ceil(bytes / 230) }, (_, at) => ({
    path: `src/part-${at}.ts`,
    hash: createHash("sha256").update(String(at)).digest("hex"),
    note: "changed",
  }));
  const state = Object.fromEntries(
    notes.slice(0, bytes / 230).map((note, at) => [`key_${at}`, { at, note, ok: at % 2 === 0 }]),
  );
  const provenance = { handed_off_by: "bench", created: "2026-01-01T00:00:00Z" };
  return {
    version: 1,
    goal: "bench",
    context: "c",
    progress: notes.slice(0, bytes / 230),
    state,
    artifacts: files,
    provenance,
  };
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Id, canonical text, checks and adapters of handover packets, against JSON.stringify and sha256 of the same value. */
export async function benchHandover(rounds: number): Promise<BenchRow[]> {
  return [
    await benchText(rounds),
    await benchId(rounds),
    await benchCompleteness(rounds),
    await benchDeep(rounds),
    await benchWhole(rounds),
    await benchAdapter(rounds),
  ];
}

async function benchText(rounds: number): Promise<BenchRow> {
  const packet = packetOf(5 * MEGABYTE);
  const bytes = Buffer.byteLength(JSON.stringify(packet));
  const times = await alternate(
    rounds,
    () => time(() => sha256(JSON.stringify(packet))),
    () => time(() => sha256(canonicalize(packet))),
  );
  const speed = bytes / MEGABYTE / (median(times.b) / 1000);
  return {
    name: `canonicalize + sha256, ${(bytes / MEGABYTE).toFixed(1)} MB`,
    value: `${speed.toFixed(0)} MB/s`,
    goal: "≥ 30 MB/s",
    detail: `${ratio(median(times.b) / median(times.a))} JSON.stringify + sha256 (${ms(median(times.a))})`,
  };
}

async function benchId(rounds: number): Promise<BenchRow> {
  const packet = packetOf(5000);
  const many = (act: () => unknown) => async (): Promise<number> =>
    (await time(() => {
      for (let run = 0; run < SMALL_RUNS; run++) act();
    })) / SMALL_RUNS;
  const times = await alternate(
    rounds + 2,
    many(() => sha256(JSON.stringify(packet))),
    many(() => computeId(packet)),
  );
  return {
    name: `id of a packet of ${JSON.stringify(packet).length} B`,
    value: `${(median(times.b) * 1000).toFixed(0)} µs`,
    goal: "< 100 µs",
    detail: `${ratio(median(times.b) / median(times.a))} JSON.stringify + sha256`,
  };
}

async function benchCompleteness(rounds: number): Promise<BenchRow> {
  const packet = { ...packetOf(1000), progress: ["x".repeat(MEGABYTE)] };
  const times: number[] = [];
  const quarter: number[] = [];
  for (let round = 0; round < rounds; round++) {
    times.push(await time(() => completeness(packet)));
    quarter.push(await time(() => completeness({ ...packet, progress: ["x".repeat(MEGABYTE / 4)] })));
  }
  return {
    name: "completeness, 1 MiB in one word",
    value: ms(median(times)),
    goal: "< 50 ms",
    detail: `${ratio(median(times) / median(quarter))} that of a quarter of it: linear is 4`,
  };
}

async function benchDeep(rounds: number): Promise<BenchRow> {
  let deep: object = {};
  for (let level = 0; level < 100_000; level++) deep = { deep };
  const packet = { ...packetOf(1000), state: deep };
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await time(() => validatePacket(packet)));
  return { name: "validatePacket, 100,000 levels", value: ms(median(times)), goal: "< 50 ms", detail: "refused" };
}

async function benchWhole(rounds: number): Promise<BenchRow> {
  const { provenance, ...sections } = packetOf(64 * 1024);
  const input = { ...sections, agent: provenance.handed_off_by, created: provenance.created };
  const times: number[] = [];
  for (let round = 0; round < rounds + 2; round++) {
    times.push(
      await time(() => {
        const packet = pack(input);
        validatePacket(packet);
        resume(packet);
      }),
    );
  }
  return { name: "pack + validate + resume, 64 KiB", value: ms(median(times)), goal: "< 5 ms", detail: "warm" };
}

async function benchAdapter(rounds: number): Promise<BenchRow> {
  const line = (at: number) =>
    JSON.stringify({
      type: at % 10 === 0 ? "user" : "assistant",
      message: { role: "x", content: [{ type: "text", text: `- step ${at} ${"word ".repeat(400)}` }] },
    });
  const raw = Array.from({ length: 10_000 }, (_, at) => line(at)).join("\n");
  const times = await alternate(
    rounds,
    () => time(() => raw.split("\n").map((text) => JSON.parse(text) as unknown)),
    () => time(() => fromClaudeCode(raw)),
  );
  return {
    name: `fromClaudeCode, ${(raw.length / MEGABYTE).toFixed(0)} MB`,
    value: `${(raw.length / MEGABYTE / (median(times.b) / 1000)).toFixed(0)} MB/s`,
    goal: "≥ 50 MB/s",
    detail: `${ratio(median(times.b) / median(times.a))} cut and parse`,
  };
}
