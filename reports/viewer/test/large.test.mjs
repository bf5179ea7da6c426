// The speed and size of a page with ten thousand cases and a history of a year.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, open } from "./browser.mjs";
import { casesOf, noise, writeHistory } from "./history_folder.mjs";
import { createHash } from "node:crypto";
import { folder, join, nightly, readReport, vparity } from "./runs.mjs";
import { mkdirSync, statSync, writeFileSync } from "node:fs";

const CASES = 10_000;
const NIGHTS = 365;
const LIMIT_MB = 30;
const normal = noise(1);
let instance, file;

/** Varies every measured number, because equal digits would compress too well. */
function noisy(value) {
  if (Array.isArray(value)) return value.map(noisy);
  if (typeof value === "number") return Number.isInteger(value) ? value : value * (0.95 + 0.04 * Math.random());
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, noisy(inner)]));
}

/** The report with `count` cases, which differ in the number of tokens. */
function enlarged(report, count) {
  const few = report.cases;
  const cases = Array.from({ length: count }, (_, i) => {
    const one = few[i % few.length];
    const tokens = 8 + i;
    const key = one.key.replace(/,tokens=\d+,/, `,tokens=${tokens},`);
    return {
      ...noisy(one),
      key,
      id: createHash("sha256").update(key).digest("hex").slice(0, 12),
      params: { ...one.params, tokens },
    };
  });
  const worst = (one) => Math.max(...one.outputs.map((output) => output.error_ratio));
  const first = cases.reduce((a, b) => (worst(b) > worst(a) ? b : a));
  const output = first.outputs.find((one) => one.error_ratio === worst(first));
  const summary = {
    ...report.summary,
    planned: count,
    passed: count,
    worst: { case: first.id, output: output.name, error_ratio: output.error_ratio },
  };
  return { ...report, cases, summary };
}

/** An error ratio changes in one of 20 nights; times, also those of the anchor, vary by 1 %. */
function pointOf(series) {
  if (series.measure === "throughput")
    return { value: series.level * (1 + 0.01 * normal()), anchor: series.level * (1 + 0.01 * normal()) };
  if (Math.random() < 0.05) series.level *= 1 + 0.1 * normal();
  return { value: series.level };
}

before(async () => {
  const run = await nightly();
  const reports = ["parity", "throughput"].map((measure) => enlarged(readReport(run, measure), CASES / 2));
  const large = join(folder, "large");
  mkdirSync(large);
  reports.forEach((report, i) =>
    writeFileSync(join(large, `${["parity", "throughput"][i]}.json`), JSON.stringify(report)),
  );
  const cases = [...casesOf(reports[0], "parity"), ...casesOf(reports[1], "throughput")];
  const series = cases.map(({ measure }) => ({
    measure,
    level: measure === "parity" ? 0.01 + 0.05 * Math.random() : 1e-3 * (1 + Math.random()),
  }));
  const nights = Array.from({ length: NIGHTS }, (_, at) => ({
    at,
    anchor: "v0.1.0",
    point: (_, i) => pointOf(series[i]),
  }));
  writeHistory(join(folder, "history"), cases, nights);
  file = join(folder, "large.html");
  const { code, stderr } = await vparity("report", large, "--html", file, "--history", join(folder, "history"));
  assert.equal(code, undefined, stderr);
  instance = await browser();
});
after(() => instance?.close());

/** CPU seconds of the page's main thread: script, style and layout. They do not depend on the load of the machine. */
async function processor(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find((one) => one.name === "TaskDuration").value;
}

async function measured(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return session;
}

async function best(tries, measure) {
  let least = Infinity;
  for (let i = 0; i < tries; ++i) least = Math.min(least, await measure());
  return least;
}

test("the page is not larger than it may be", (context) => {
  const size = statSync(file).size / 1e6;
  context.diagnostic(`${CASES} cases, ${NIGHTS} nights: ${size.toFixed(1)} MB`);
  assert.ok(size < LIMIT_MB, `${size} MB`);
});

test("the first screen is there within 2 s", async (context) => {
  const { page, close } = await open(instance, file);
  const session = await measured(page);
  let waited = Infinity;
  const took = await best(3, async () => {
    const before = await processor(session);
    await page.reload();
    await page.locator("h1").waitFor();
    waited = Math.min(waited, await page.evaluate(() => performance.getEntriesByName("shown")[0].startTime));
    return 1000 * ((await processor(session)) - before);
  });
  await close();
  context.diagnostic(`first screen after ${waited.toFixed(0)} ms, ${took.toFixed(0)} ms of them on the processor`);
  assert.ok(took < 2000, `${took} ms`);
});

/** Measures each action in CPU milliseconds of the page's main thread, with layout and delayed drawing. */
async function actions(context, hash, acts) {
  const { page, close } = await open(instance, file, { hash });
  const session = await measured(page);
  const timed = async (act) => {
    const before = await processor(session);
    await page.evaluate(async (code) => {
      new Function(code)();
      document.body.getBoundingClientRect();
      await new Promise((done) => setTimeout(done, 50));
    }, act);
    return 1000 * ((await processor(session)) - before);
  };
  for (const [name, [before, act]] of Object.entries(acts)) {
    const took = await best(5, async () => (before && (await timed(before)), timed(act)));
    context.diagnostic(`${hash} ${name} ${took.toFixed(0)} ms`);
    assert.ok(took < 100, `${name}: ${took} ms`);
  }
  await close();
}

const type = (text) =>
  `const box = document.getElementById("query"); box.value = ${JSON.stringify(text)}; box.dispatchEvent(new Event("input"))`;
const click = (selector) => `document.querySelector(${JSON.stringify(selector)}).click()`;
const FILTERS = {
  text: [type(""), type("tp=2 vocab=1000")],
  nothing: [type(""), type("no such case")],
  all: [type("x"), type("")],
  page: [null, click("[data-page=Next]")],
  axis: [null, click(".facet input")],
};

test("a filter, a sort and a page take less than 100 ms each", (context) =>
  actions(context, "#cases", { ...FILTERS, sort: [null, click("[data-sort=vocab]")] }));
test("the same in the history, with its sparklines", (context) =>
  actions(context, "#history?measure=throughput", { ...FILTERS, sort: [null, click("[data-sort=change]")] }));
