// Strings of a report are shown as text, whatever they contain.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, open } from "./browser.mjs";
import { changed, failing, folder, join, pageData, passing, readReport, vparity, writePageData } from "./runs.mjs";
import { casesOf, writeHistory } from "./history_folder.mjs";
import { readFileSync } from "node:fs";

const HOSTILE = `</script><script>globalThis.pwned = 1; alert(1)</script><!--<script>]]>\u2028\u2029&lt;"'\`\${1}<img src=x onerror="globalThis.pwned=1">javascript:alert(1)`;
// Members whose form or values the schema fixes.
const FIXED = new Set([
  "schema",
  "id",
  "key",
  "case",
  "status",
  "state",
  "phase",
  "code",
  "started",
  "finished",
  "fingerprint",
  "revision",
  "expiry",
  "known_failure",
]);

function hostile(value, isOutput = false) {
  if (Array.isArray(value)) return value.map((one) => hostile(one));
  if (typeof value === "string") return HOSTILE;
  if (value === null || typeof value !== "object") return value;
  const output = "error_ratio" in value;
  const kept = (name) => FIXED.has(name) || ((output || isOutput) && ["name", "output", "error_ratio"].includes(name));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      kept(name) || typeof inner === "number"
        ? inner
        : hostile(inner, output || ["max_abs", "expected"].includes(name)),
    ]),
  );
}

/** Numbers that are not finite are written as strings. */
function isNumber(value) {
  return ["NaN", "Infinity", "-Infinity"].includes(value);
}

function everywhere(report) {
  const keep = (value) =>
    Array.isArray(value)
      ? value.map(keep)
      : value && typeof value === "object"
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, isNumber(inner) ? 0 : keep(inner)]))
        : value;
  const clean = keep(report);
  const known = {
    match: HOSTILE,
    reason: HOSTILE,
    owner: HOSTILE,
    issue: HOSTILE,
    expiry: "2026-12-31",
    cases: 0,
    state: "unused",
  };
  Object.assign(report, hostile(clean), { summary: report.summary, known_failures: [known] });
  report.cases.forEach((one, i) => {
    one.params = { ...clean.cases[i].params, [HOSTILE]: HOSTILE };
    one.params.dtype = i % 2 ? HOSTILE : `${HOSTILE}2`;
  });
  report.hosts[0].environment[HOSTILE] = HOSTILE;
  report.provenance.libraries[HOSTILE] = HOSTILE;
}

let instance;
before(async () => (instance = await browser()));
after(() => instance?.close());

test("strings of a report become no markup and end no element", async () => {
  const run = await changed("hostile", await failing(), everywhere);
  const file = join(run, "report.html");
  const text = readFileSync(file, "utf8");
  assert.equal(text.match(/<script/g).length, 2, "its data and its code");
  const data = text.slice(text.indexOf('id="data">') + 10, text.indexOf("</script>"));
  assert.match(data, /^[A-Za-z0-9+/=\n]+$/);
  assert.ok(pageData(file).runs[0].parity.run.matrix === HOSTILE, "and come back as they were");

  const { id } = readReport(run).cases[0];
  await harmless(file, [
    "",
    "#cases",
    "#grid?rows=dtype",
    `#case?id=${id}`,
    "#runs",
    `#cases?q=${encodeURIComponent(HOSTILE)}`,
    `#case?id=${encodeURIComponent(HOSTILE)}`,
  ]);
});

test("strings of a comparison become no markup", async () => {
  const head = await changed("head", await failing(), everywhere);
  const file = join(folder, "comparison.html");
  await vparity("compare", await passing(), head, "--html", file);
  await harmless(file, ["", "#runs"]);
});

/** First what the history's file format permits, then every string of the page's own data. */
test("strings of a history become no markup", async () => {
  const run = await passing();
  const report = readReport(run);
  const cases = casesOf(report, "parity").map((one, i) => ({
    ...one,
    key: one.key.replace(/,dtype=[^,]*,/, `,dtype=${HOSTILE.replace(/,/g, "")}${i % 2},`),
    variant: HOSTILE,
    repeat: HOSTILE,
  }));
  const point = (at) => (_, i) =>
    i === 0 && at === 39 ? { status: "failed", value: 2 } : { value: i === 1 && at > 30 ? 0.9 : 0.2 };
  const nights = Array.from({ length: 40 }, (_, at) => ({
    at,
    point: point(at),
    run_id: `${at} ${HOSTILE}`,
    matrix: HOSTILE,
    anchor: HOSTILE,
  }));
  writeHistory(join(folder, "hostile-history"), cases, nights);
  const file = join(folder, "hostile-history.html");
  const { code, stderr } = await vparity("report", run, "--html", file, "--history", join(folder, "hostile-history"));
  assert.equal(code, undefined, stderr);
  const places = [
    "",
    "#history",
    ...cases.slice(0, 2).map(({ id }) => `#case?measure=parity&id=${id}`),
    `#history?q=${encodeURIComponent(HOSTILE)}`,
  ];
  await harmless(file, places);

  const data = pageData(file);
  assert.ok(data.history.findings.length > 0);
  data.history.accepted = [
    { from: "2025-12-20", reason: HOSTILE, commit: HOSTILE },
    { from: HOSTILE, reason: HOSTILE, commit: HOSTILE },
  ];
  data.history.series.accepted = data.history.series.accepted.map((_, i) => i % 2);
  for (const night of data.history.nights) Object.assign(night, { revision: HOSTILE, fingerprint: HOSTILE });
  for (const name of ["key", "variant", "repeat"])
    data.history.series[name] = data.history.series[name].map(() => HOSTILE);
  for (const name of ["status_before", "status_now", "unit"]) data.history.series[name][2] = HOSTILE;
  data.history.nights[3].started = HOSTILE;
  const changed = join(folder, "hostile-page.html");
  writePageData(file, changed, data);
  await harmless(changed, places);
});

async function harmless(file, hashes) {
  for (const hash of hashes) {
    const { page, close } = await open(instance, file, { hash });
    for (const details of await page.locator("summary").all()) if (await details.isVisible()) await details.click();
    assert.deepEqual(
      await page.evaluate(() => ({
        pwned: globalThis.pwned,
        scripts: document.scripts.length,
        images: document.images.length,
        links: [...document.links].filter((one) => !one.getAttribute("href").startsWith("#")).length,
      })),
      { pwned: undefined, scripts: 2, images: 0, links: 0 },
    );
    if (hash === "")
      assert.ok(
        (await page.locator(".command code").first().textContent()).includes("<img src=x"),
        "the text is there as text",
      );
    await close();
  }
}
