// Writes history folders with made-up values for the tests; docs/history.md describes the format.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { mkdirSync, writeFileSync } from "node:fs";

const sha256 = (text) => createHash("sha256").update(text).digest("hex");

/** A reproducible generator (mulberry32) of normally distributed numbers (Box and Muller). */
export function noise(seed) {
  const uniform = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

export const FIRST_NIGHT = Date.UTC(2025, 10, 30, 2, 15, 0);
export const nightTime = (night) => `${new Date(FIRST_NIGHT + night * 86400e3).toISOString().slice(0, 19)}Z`;
export const revisionOf = (night) => sha256(`commit ${night}`).slice(0, 40);

/**
 * `cases`: [{measure, id, key, variant, repeat}]; `nights`: [{at, point, ...}]. `at` is the day.
 * `point(case, index)` returns {status, value, anchor}, or null if the night does not have the case. Further members
 * are written into the night's file.
 */
export function writeHistory(folder, cases, nights) {
  for (const name of ["nights", "case-lists"]) mkdirSync(join(folder, name), { recursive: true });
  const lists = new Map(); // name of the list by the indices of its cases
  const listOf = (had) => {
    const indices = had.map(({ i }) => i).join();
    if (!lists.has(indices)) {
      const list = `${JSON.stringify({ schema: "vparity.case-list/1", cases: had.map(({ one }) => one) })}\n`;
      lists.set(indices, sha256(list).slice(0, 16));
      writeFileSync(join(folder, "case-lists", `${lists.get(indices)}.json`), list);
    }
    return lists.get(indices);
  };
  for (const { at, point, ...said } of nights) {
    const had = cases.map((one, i) => ({ one, i, found: point(one, i) })).filter(({ found }) => found);
    const night = {
      schema: "vparity.night/1",
      run_id: `nightly-${at}`,
      matrix: "nightly",
      started: nightTime(at),
      revision: revisionOf(at),
      dirty: false,
      fingerprint: "00112233aabbccdd",
      anchor: null,
      complete: true,
      exit_code: 0,
      case_list: listOf(had),
      status: had.map(({ found }) => found.status ?? "passed"),
      values: had.map(({ found }) => found.value),
      ...said,
    };
    if (night.anchor !== null) night.anchor_values = had.map(({ found }) => found.anchor ?? null);
    writeFileSync(
      join(folder, "nights", `${nightTime(at).replace(/[^0-9TZ]/g, "")}-${sha256(night.run_id).slice(0, 12)}.json`),
      JSON.stringify(night),
    );
  }
}

export const casesOf = (report, measure) =>
  report.cases.map(({ id, key, variant = "", repeat }) => ({ measure, id, key, variant, repeat }));
