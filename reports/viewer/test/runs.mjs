// Runs for the tests, made with the program itself. Environment: VPARITY, VPARITY_CRASHING (the program with crashing
// providers), VPARITY_SOURCE, CHROMIUM.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { promisify } from "node:util";

const { VPARITY, VPARITY_CRASHING, VPARITY_SOURCE } = process.env;
export const folder = mkdtempSync(join(tmpdir(), "vparity-viewer-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const matrix = (name) => join(VPARITY_SOURCE, "matrices", `${name}.json`);

async function program(file, args) {
  try {
    return await promisify(execFile)(file, args, { encoding: "utf8", maxBuffer: 2 ** 28 });
  } catch (error) {
    if (typeof error.code !== "number") throw error;
    return { stdout: error.stdout, stderr: error.stderr, code: error.code };
  }
}
export const vparity = (...args) => program(VPARITY, args);

async function made(name, args, file = VPARITY) {
  const out = mkdtempSync(join(folder, `${name}-`));
  await program(file, ["run", ...args, "--launcher", "threads", "--out", out, "-q"]);
  return out;
}

export const passing = () => made("passing", [matrix("smoke")]);
export const failing = () => made("failing", [matrix("smoke"), "--provider", "known-bug-entropy-sign"]);
export const interrupted = () =>
  made("interrupted", [matrix("smoke"), "--provider", "known-bug-entropy-sign", "--max-failures", "3"]);
export const skipping = () => made("skipping", [matrix("smoke"), "--filter", "*,tp=2,*", "--max-ranks", "1"]);

export function crashing() {
  const file = join(folder, "crashing.json");
  const cases = ["vparity", "crashing-segfaults-on-1", "crashing-throws-on-0"].map((provider) => ({
    tp: 2,
    vocab: 1003,
    provider,
  }));
  writeFileSync(
    file,
    JSON.stringify({
      schema: "vparity.matrix/1",
      name: "crashing",
      defaults: { tokens: 8, seed: 7 },
      sweeps: [{ name: "all", cases }],
    }),
  );
  return made("crashing", [file], VPARITY_CRASHING);
}

export function throughput(name = "throughput") {
  const file = join(folder, "throughput.json");
  const axes = {
    vocab: [1000],
    tokens: [8],
    tp: [1, 2],
    op: ["forward_backward", "forward"],
    mode: ["fast", "reproducible"],
  };
  writeFileSync(
    file,
    JSON.stringify({
      schema: "vparity.matrix/1",
      name: "throughput",
      defaults: { seed: 7 },
      sweeps: [{ name: "all", measure: ["throughput"], axes }],
    }),
  );
  return made(name, [file]);
}

/** Parity and throughput of the same cases, as a nightly run measures them. */
export function nightly(name = "nightly") {
  const file = join(folder, "nightly.json");
  const axes = {
    vocab: [128, 1000],
    tokens: [8],
    tp: [1, 2],
    op: ["forward_backward", "forward"],
    mode: ["fast", "reproducible"],
  };
  writeFileSync(
    file,
    JSON.stringify({
      schema: "vparity.matrix/1",
      name: "nightly",
      defaults: { seed: 7 },
      sweeps: [{ name: "all", measure: ["parity", "throughput"], axes }],
    }),
  );
  return made(name, [file]);
}

export const readReport = (run, measure = "parity") => JSON.parse(readFileSync(join(run, `${measure}.json`), "utf8"));

/** The unpacked blocks of a page. The first is JSON. */
export function pageBlocks(file) {
  const text = readFileSync(file, "utf8");
  const data = text.slice(text.indexOf('id="data">') + 10, text.indexOf("</script>"));
  return data.split("\n").map((line) => inflateSync(Buffer.from(line, "base64")));
}
export const pageData = (file) => JSON.parse(pageBlocks(file)[0].toString());

/** Copies a page with another first block. */
export function writePageData(from, to, data) {
  const text = readFileSync(from, "utf8");
  const begin = text.indexOf('id="data">') + 10;
  const end = begin + text.slice(begin).search(/\n|<\/script>/);
  writeFileSync(to, text.slice(0, begin) + deflateSync(JSON.stringify(data)).toString("base64") + text.slice(end));
}

/** Changes the report of a run and writes its page. */
export async function changed(name, run, change) {
  const report = readReport(run);
  change(report);
  const out = join(folder, name);
  mkdirSync(out);
  writeFileSync(join(out, "parity.json"), JSON.stringify(report));
  const { code, stderr } = await vparity("report", out);
  if (code) throw new Error(stderr);
  return out;
}

export { join };
