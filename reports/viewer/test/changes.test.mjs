// The page of `vparity compare --html`.
import assert from "node:assert/strict";
import { accessible, browser, open } from "./browser.mjs";
import { after, before, test } from "node:test";
import { changed, folder, join, pageData, passing, readReport, throughput, vparity, writePageData } from "./runs.mjs";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const PAIRS = 4;
let instance;
before(async () => (instance = await browser()));
after(() => instance?.close());

async function compared(name, ...args) {
  const [html, json] = [join(folder, `${name}.html`), join(folder, `${name}.json`)];
  const { code, stderr } = await vparity("compare", ...args, "--html", html, "--json", json);
  assert.ok([undefined, 1, 5].includes(code), stderr);
  return { html, comparison: JSON.parse(readFileSync(json, "utf8")) };
}

/** Makes two passing cases fail, the second with a larger error ratio, and raises one error ratio below the bound. */
function worse(report) {
  report.run.id = "head";
  const [first, second, third] = report.cases;
  for (const [one, error_ratio] of [
    [first, 3],
    [third, 9],
  ]) {
    Object.assign(one.outputs[0], { error_ratio, mismatches: 1 });
    Object.assign(one, { status: "failed", reason: { code: "mismatch", text: "outside its bound" } });
  }
  second.outputs[0].error_ratio = 0.8;
  Object.assign(report.summary, {
    passed: report.summary.passed - 2,
    failed: 2,
    worst: { case: third.id, output: third.outputs[0].name, error_ratio: 9 },
  });
}

test("lists changes in parity, the worst first, and links to the case in head", async () => {
  const base = await passing();
  const head = await changed("head", base, worse);
  const { html, comparison } = await compared("parity", base, head);
  const { page, close } = await open(instance, html);
  assert.equal(await page.locator("h1").innerText(), "Regressed");
  assert.equal(await page.title(), "Regressed: head against base - vparity");
  const rows = page.locator("section", { hasText: "Error ratios, base → head" }).locator("tbody tr");
  assert.deepEqual(await rows.locator("td:first-child").allInnerTexts(), [
    "✕ regressed",
    "✕ regressed",
    "~ error ratio grew",
  ]);
  const { cases } = readReport(base);
  const error_ratios = [
    [2, 9],
    [0, 3],
    [1, 0.8],
  ].map(([i, is]) => `${cases[i].outputs[0].name} ${Number(cases[i].outputs[0].error_ratio.toPrecision(3))} → ${is}`);
  assert.deepEqual(await rows.locator("td:nth-child(5)").allInnerTexts(), error_ratios);
  await accessible(page);
  await rows.first().getByRole("link").click();
  await page.locator("h1", { hasText: comparison.parity[0].id }).waitFor();
  await page.waitForURL(/run=2/);
  assert.ok((await page.locator(".case-head").innerText()).includes("failed"));
  const said = await page.locator("section", { hasText: /^Head against base/ }).innerText();
  assert.match(said, /✕ regressed[^]*✓ passed → ✕ failed; error ratios: /);
  assert.ok(said.includes(error_ratios[0]), said);
  await accessible(page);
  await close();

  const { page: other, close: end } = await open(instance, html);
  await other.getByRole("link", { name: "Overview" }).click();
  await other.locator("h1", { hasText: "Failed" }).waitFor();
  assert.equal(await other.title(), `Failed: smoke, head: ${head} - vparity`);
  assert.equal(await other.locator("#run-name").innerText(), `head: ${head}`, "the result, and whose it is");
  await other.getByRole("link", { name: "Runs (2)" }).click();
  assert.equal(await other.locator("h1").innerText(), "1 of 2 runs passed");
  assert.match(await other.locator(".verdict").innerText(), /Head against base: Regressed\./);
  assert.deepEqual(await other.locator("tbody tr td:nth-child(2)").allInnerTexts(), ["base", "head"]);
  await accessible(other);
  await other.getByRole("link", { name: base, exact: true }).click();
  await other.locator("h1", { hasText: "Passed" }).waitFor();
  assert.equal(await other.locator("#run-name").innerText(), `base: ${base}`);
  await end();
});

/** Makes `count` cases with different numbers of tokens. The first `changed` have another error ratio than the base. */
function many(count, changed) {
  return (report) => {
    report.run.id = `many-${changed}`;
    const few = report.cases;
    report.cases = Array.from({ length: count }, (_, i) => {
      const one = structuredClone(few[i % few.length]);
      const key = one.key.replace(/,tokens=\d+,/, `,tokens=${1000 + i},`);
      one.outputs = one.outputs.slice(0, 1);
      one.outputs[0].error_ratio = i < changed ? 0.4 + 0.5 * (i / count) : 0.2;
      return {
        ...one,
        key,
        status: "passed",
        reason: null,
        id: createHash("sha256").update(key).digest("hex").slice(0, 12),
        params: { ...one.params, tokens: 1000 + i },
      };
    });
    const top = report.cases[Math.max(0, changed - 1)];
    report.summary = {
      ...report.summary,
      planned: count,
      passed: count,
      skipped: 0,
      worst: { case: top.id, output: top.outputs[0].name, error_ratio: top.outputs[0].error_ratio },
    };
  };
}

test("all changes can be reached: pages, filters and sorting, and the URL holds them", async () => {
  const run = await passing();
  const { html, comparison } = await compared(
    "many",
    await changed("many-base", run, many(400, 0)),
    await changed("many-head", run, many(400, 340)),
  );
  assert.equal(comparison.parity.length, 340);
  const { page, close } = await open(instance, html);
  const ids = () => page.locator(".cases tbody td:nth-child(2)").allInnerTexts();
  const seen = await ids();
  for (let i = 0; i < 6; ++i) {
    await page.getByRole("button", { name: "Next" }).click();
    seen.push(...(await ids()));
  }
  assert.deepEqual(
    seen,
    comparison.parity.map((one) => one.id),
    "each once, in the order of the comparison",
  );
  await page.waitForURL(/#changes\?page=7$/);
  await page.reload();
  await page.locator("h1").waitFor();
  assert.deepEqual(await ids(), seen.slice(300));

  await page.locator("summary", { hasText: /^tp / }).click();
  await page.getByRole("checkbox", { name: /^2 / }).check();
  await page.getByRole("searchbox").fill("dtype=bf16");
  await page.waitForURL(/#changes\?axis.tp=2&q=dtype%3Dbf16$/);
  const wanted = comparison.parity.filter((one) => one.params.tp === 2 && one.params.dtype === "bf16");
  assert.ok(wanted.length > 0 && wanted.length < 340);
  assert.equal(await page.locator(".found").innerText(), `${wanted.length} of 340 changes`);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.locator("[data-sort=setting]").click();
  await page.waitForURL(/sort=setting$/);
  await page.locator(".verdict .count").first().click();
  await page.waitForURL(/#changes\?measure=parity&status=error_ratio_grew$/);
  await close();
});

test("shows each change of a time with its interval, or the reason why there is no verdict", async () => {
  const runs = [];
  for (let i = 0; i < 2 * PAIRS; ++i) runs.push(await throughput(`process-${i}`));
  const side = (first) => runs.filter((_, i) => i % 2 === first);
  const { html, comparison } = await compared("times", "--base", ...side(0), "--head", ...side(1));
  const { page, close } = await open(instance, html, { permissions: ["clipboard-read", "clipboard-write"] });
  const rows = page.locator("section", { hasText: "Detectable" }).locator("tbody tr");
  assert.deepEqual(
    await rows.locator("td:nth-child(2)").allInnerTexts(),
    comparison.throughput.map((one) => one.id),
  );
  const with_interval = comparison.throughput.filter((one) => one.change).length;
  assert.equal(await page.locator("figure circle").count(), with_interval);
  assert.ok(with_interval > 0);
  await accessible(page);
  await rows
    .first()
    .getByRole("button", { name: `Copy the command that repeats case ${comparison.throughput[0].id}` })
    .click();
  await page.waitForFunction(() => document.getElementById("live").textContent === "Command copied");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), comparison.throughput[0].repeat);
  assert.match(
    await page.locator("section", { hasText: "how much longer head takes than base" }).first().innerText(),
    /Intervals at 99 %/,
  );
  const data = pageData(html);
  data.comparison.criteria.looks = 2; // each look gets half of the permitted error
  const looks = join(folder, "looks.html");
  writePageData(html, looks, data);
  const { page: twice, close: shut } = await open(instance, looks);
  assert.match(
    await twice.locator("section", { hasText: "how much longer head takes than base" }).first().innerText(),
    /Intervals at 99\.5 %/,
  );
  await shut();
  const told = comparison.throughput.findIndex((each) => each.change);
  await rows.nth(told).getByRole("link").click();
  const line = await page.locator("section", { hasText: /^Head against base/ }).innerText();
  const times = side(0)
    .map(
      (run) => readReport(run, "throughput").cases.find((each) => each.id === comparison.throughput[told].id).median_s,
    )
    .sort((a, b) => a - b);
  const [, value, unit] = /base ([0-9.]+)\s(s|ms|µs)/.exec(line);
  assert.ok(
    Math.abs((value * { s: 1, ms: 1e-3, µs: 1e-6 }[unit]) / ((times[PAIRS / 2 - 1] + times[PAIRS / 2]) / 2) - 1) <
      0.006,
    line,
  );
  assert.match(line, new RegExp(`; [+-−]?[0-9.]+\\s%, 99 % interval .* to .* of ${PAIRS} pairs`));
  await page.goto(`${page.url().split("#")[0]}#grid?run=${PAIRS + 1}&rows=tp&columns=op&colour=change&axis.mode=fast`);
  await page.reload();
  const one = comparison.throughput.find(
    ({ params, variant }) => params.tp === 2 && (params.op ?? "forward_backward") === "forward" && variant === "fast",
  );
  const field = await page
    .getByRole("link", { name: /^tp 2, op forward:/ })
    .locator("span")
    .innerText();
  assert.ok(
    Math.abs(parseFloat(field) / 100 - (one.change?.ratio ?? one.observed)) <=
      0.051 * Math.abs(one.change?.ratio ?? one.observed) + 1e-9,
    field,
  ); // two digits are shown
  await close();

  const two = await compared("two", runs[0], runs[1]);
  const { page: short, close: end } = await open(instance, two.html);
  assert.ok(
    (await short.locator("section", { hasText: "Detectable" }).locator("tbody tr").first().innerText()).includes(
      "too_few_pairs",
    ),
  );
  await end();
});
