// A page with a long history: a step, a drift, another machine, missing nights, cases that end or begin.
import assert from "node:assert/strict";
import { accessible, browser, NARROW, open, steady } from "./browser.mjs";
import { after, before, describe, test } from "node:test";
import { casesOf, nightTime, noise, revisionOf, writeHistory } from "./history_folder.mjs";
import { folder, join, nightly, readReport, vparity } from "./runs.mjs";
import { readFileSync, writeFileSync } from "node:fs";

const NIGHTS = 365;
const STEP = 359; // from this night on, one case takes 1.12 times as long
const DRIFT = 250;
const OTHER_MACHINE = 100; // nights before this one ran on another machine
const ANCHOR_SINCE = 150;
const OUTAGE = [200, 206];
const ENDED = 356; // more than a week ago, so the case counts as gone
const LONG_ENDED = 300;
const BEGAN = 361;

let instance, run, cases, former, plain;
const pages = {};
const timed = (nth) => cases.filter((one) => one.measure === "throughput")[nth];
const checked = (nth) => cases.filter((one) => one.measure === "parity")[nth];

function courseOf(normal) {
  const error_ratio = (one, at) => {
    if (one === checked(0)) return { value: at < DRIFT ? 0.2 : 0.2 + (0.6 * (at - DRIFT)) / (NIGHTS - 1 - DRIFT) };
    if (one === checked(1) && at === NIGHTS - 1) return { status: "failed", value: 3 };
    if (one === checked(2) && at >= ENDED) return null;
    if (one === checked(3) && at === 50) return { status: "failed", value: "Infinity" };
    if (one === former && at >= LONG_ENDED) return null;
    return { value: 0.05 };
  };
  const time = (one, at) => {
    if (one === timed(2) && at < BEGAN) return null;
    const machine = (at < OTHER_MACHINE ? 1.4 : 1) * (1 + 0.05 * Math.sin(at / 20));
    const step = one === timed(0) && at >= STEP ? 1.12 : one === timed(1) && at >= 210 && at < 300 ? 1.3 : 1;
    return { value: 1e-3 * machine * step * (1 + 0.01 * normal()), anchor: 1.1e-3 * machine * (1 + 0.005 * normal()) };
  };
  return (at) => (one) => (one.measure === "parity" ? error_ratio(one, at) : time(one, at));
}

/** Writes the page of the run with these nights. `said`: further members of a night. */
async function pageOf(name, days, said = () => ({}), ...args) {
  const point = courseOf(noise(7));
  const nights = days.map((at) => ({
    at,
    point: point(at),
    fingerprint: at < OTHER_MACHINE ? "ffeeddccbbaa0011" : "00112233aabbccdd",
    anchor: at < ANCHOR_SINCE ? null : "v1-anchor",
    ...said(at),
  }));
  writeHistory(join(folder, name), cases, nights);
  const html = join(folder, `${name}.html`);
  const { code, stderr } = await vparity("report", run, "--html", html, "--history", join(folder, name), ...args);
  assert.equal(code, undefined, stderr);
  return html;
}

const allDays = Array.from({ length: NIGHTS }, (_, i) => i).filter((at) => at < OUTAGE[0] || at >= OUTAGE[1]);

before(async () => {
  run = await nightly();
  cases = ["parity", "throughput"].flatMap((measure) => casesOf(readReport(run, measure), measure));
  // Only the history has this case.
  former = { ...checked(0), id: "abcdef012345", key: checked(0).key.replace(/,vocab=\d+,/, ",vocab=999,") };
  cases.push(former);
  pages.year = await pageOf("year", allDays, (at) => ({ complete: at !== 362 }));
  pages.one = await pageOf("one", [300]);
  pages.few = await pageOf("few", [300, 301, 302]);
  pages.quiet = await pageOf(
    "quiet",
    allDays.filter((at) => at > 310 && at < 350),
  );
  const accepted = join(folder, "accepted.json");
  const entry = {
    match: "*,tp=1,*",
    measure: "throughput",
    from: nightTime(STEP).slice(0, 10),
    reason: "one more pass, for exact sums",
    commit: "0123abcd",
  };
  writeFileSync(accepted, JSON.stringify({ schema: "vparity.accepted-changes/1", entries: [entry] }));
  pages.accepted = await pageOf("accepted", allDays, undefined, "--accepted", accepted);
  plain = join(folder, "plain.html");
  await vparity("report", run, "--html", plain);
  instance = await browser();
});
after(() => instance?.close());

async function shown(name, hash, look, options) {
  const { page, close } = await open(instance, pages[name], { hash, ...options });
  await look(page);
  await close();
}
const drawn = (at) => at.locator(".sparkline path.own").first().waitFor({ state: "attached" });
const rowOf = (at, one) => at.locator(".cases tbody tr", { hasText: one.id });
const day = (at) => `${Number(nightTime(at).slice(8, 10))} Nov 2026`;

test("alarms in the history turn a passing run's verdict bad", async () => {
  await shown("year", "", async (at) => {
    assert.equal(await at.locator("h1").innerText(), "Passed, 2 alarms");
    assert.equal(await at.title(), "Passed, 2 alarms: nightly - vparity");
    assert.match(await at.locator(".verdict").getAttribute("class"), /\bbad\b/);
    assert.match(
      await at.locator(".verdict .sentence").innerText(),
      /^All \d+ cases passed .* But its history has 2 open alarms; "vparity nightly" exits with 1 because of them\.$/,
    );
    await at.getByRole("link", { name: "History", exact: true }).first().click();
    await at.locator("h1", { hasText: "History" }).waitFor();
    assert.equal(await at.title(), "2 alarms: history - vparity");
  });
  await shown("few", "", async (at) => {
    assert.equal(await at.locator("h1").innerText(), "Passed");
    assert.match(await at.locator(".verdict").getAttribute("class"), /\bgood\b/);
  });
});

describe("what changed since last week", () => {
  test("stands on the first screen, and each change with how to repeat it", () =>
    shown("year", "", async (at) => {
      const line = at.locator(".since");
      assert.match(await line.innerText(), /1 case newly fails, 1 case became slower, 1 case is new, 1 case is gone/);
      assert.ok((await line.boundingBox()).y < 850);
      const news = at.locator("section.news");
      assert.match(await news.innerText(), /7 nights since 22 Nov 2026/);
      assert.match(await news.innerText(), /1 night of 7 did not finish/);
      assert.match(await news.innerText(), /1 older alarm is still open/, "the drift");
      const cards = news.locator(".card");
      assert.deepEqual(await cards.locator("a").allInnerTexts(), [checked(1).id, timed(0).id, checked(0).id]);
      assert.match(await cards.nth(0).innerText(), /passed a week ago, failed now/);
      const alarm = await cards.nth(1).innerText();
      assert.ok(alarm.includes(`since ${day(STEP)}, commit ${revisionOf(STEP).slice(0, 12)}`), alarm);
      assert.match(alarm, /; 1\.0[0-9]+\s× in its newest night/);
      const change = Number(/\(\+([0-9.]+)\s%\)/.exec(alarm)[1]);
      assert.ok(change > 10 && change < 14, alarm);
      assert.equal(await cards.nth(1).locator(".command code").innerText(), timed(0).repeat);
      await cards.nth(1).locator("a").click();
      await at.locator("h1", { hasText: timed(0).id }).waitFor();
    }));

  test("an accepted change is no alarm and shows its reason", () =>
    shown("accepted", "#history?measure=throughput&status=accepted", async (at) => {
      assert.match(await rowOf(at, timed(0)).innerText(), /accepted from 2026-11-24 on: one more pass, for exact sums/);
      assert.equal(await at.locator(".cases tbody .badge", { hasText: "alarm" }).count(), 0);
      await rowOf(at, timed(0)).getByRole("link").click();
      await at.locator("figure", { hasText: "Night by night" }).waitFor();
      assert.match(
        await at.locator("section", { hasText: "Night by night" }).innerText(),
        /A change is accepted from 2026-11-24 on, commit 0123abcd: one more pass, for exact sums. Earlier nights raise no alarm/,
      );
    }));

  test("says so if nothing changed", () =>
    shown("quiet", "", async (at) => {
      assert.match(
        await at.locator("section.news").innerText(),
        /Nothing changed: no new alarm, and each of 15 cases has the same status as before/,
      );
    }));

  test("says so if the history is too short", async () => {
    await shown("one", "", async (at) =>
      assert.match(await at.locator(".since").innerText(), /one night, 26 Sep 2026: nothing to compare it with yet/),
    );
    await shown("one", "", async (at) =>
      assert.match(await at.locator("section.news").innerText(), /No case has enough nights for an alarm yet/),
    );
    await shown("few", "", async (at) =>
      assert.match(await at.locator(".since").innerText(), /3 nights, from 26 Sep 2026 to 28 Sep 2026/),
    );
  });
});

describe("the list", () => {
  test("starts with alarms, then earlier findings, and has one line per case", () =>
    shown("year", "#history?measure=throughput", async (at) => {
      await drawn(at);
      const status = await at.locator(".cases tbody .badge").allInnerTexts();
      assert.deepEqual(status.slice(0, 3), ["✕ alarm", "– recovered", "– new"]);
      assert.equal(await at.locator(".sparkline path.own").count(), status.length);
      assert.match(await rowOf(at, timed(1)).innerText(), /recovered/);
      const change = parseFloat((await rowOf(at, timed(0)).locator("td:nth-child(5)").innerText()).replace("+", ""));
      assert.ok(change > 8 && change < 14, change);
    }));

  test("filters by axis, status and text like the other lists, and restores them", () =>
    shown("year", "#history", async (at) => {
      assert.deepEqual((await at.locator(".cases tbody .badge").allInnerTexts()).slice(0, 2), ["✕ alarm", "✕ failing"]);
      const measure = at.getByRole("combobox", { name: "Measure" });
      assert.deepEqual(
        await measure.locator("option").allInnerTexts(),
        ["parity (1 alarm)", "throughput (1 alarm)"],
        "the drift and the step",
      );
      await measure.selectOption("throughput");
      await at.locator("summary", { hasText: /^tp / }).click();
      await at.getByRole("checkbox", { name: /^2 / }).check();
      await at.keyboard.press("Escape");
      await at.getByRole("searchbox").fill("mode=fast");
      await at.waitForURL(/#history\?measure=throughput&axis.tp=2&q=mode%3Dfast$/);
      const wanted = cases.filter(
        (one) => one.measure === "throughput" && one.key.includes(",tp=2,") && one.key.includes(",mode=fast,"),
      );
      assert.equal(await at.locator(".cases tbody tr").count(), wanted.length);
      await at.reload();
      await at.locator("h1").waitFor();
      assert.equal(await at.locator(".cases tbody tr").count(), wanted.length);
      await at.getByRole("link", { name: "Cases", exact: true }).click();
      await at.locator("h1", { hasText: "Cases" }).waitFor();
      assert.equal(await at.locator(".cases tbody tr").count(), wanted.length, "axes and text go along");
    }));

  test("sorts by change", () =>
    shown("year", "#history?measure=throughput&sort=-change", async (at) => {
      const values = (await at.locator(".cases tbody td:nth-child(5)").allInnerTexts())
        .filter((text) => text !== "-")
        .map((text) => parseFloat(text));
      assert.deepEqual(
        values,
        [...values].sort((a, b) => b - a),
      );
    }));

  test("works by keyboard", () =>
    shown("year", "#history?measure=throughput", async (at) => {
      await at.locator("[data-sort=since]").focus();
      await at.keyboard.press("Enter");
      await at.waitForURL(/sort=since$/);
      assert.equal(await at.evaluate(() => document.activeElement.dataset.sort), "since");
      await at.locator(".cases tbody a").first().focus();
      await at.keyboard.press("Enter");
      await at.locator("h1", { hasText: /^Case / }).waitFor();
    }));
});

describe("a case", () => {
  const page = (measure, one, look) =>
    shown("year", `#case?measure=${measure}&id=${one.id}`, async (at) => {
      await at.locator("figure", { hasText: "Night by night" }).waitFor();
      await look(at, at.locator("section", { hasText: "Night by night" }));
    });

  test("of throughput shows the ratio to the anchor, the change with night and commit, and the table", () =>
    page("throughput", timed(0), async (at, panel) => {
      const text = await panel.innerText();
      assert.ok(
        text.includes(`${day(STEP)}, commit ${revisionOf(STEP).slice(0, 12)}: time relative to the anchor`),
        text,
      );
      assert.match(text, /0\.9[01]\d × → 1\.0[12]\d × .*open/);
      assert.equal(await panel.locator("svg").getAttribute("role"), "img");
      assert.match(await panel.locator("svg").getAttribute("aria-label"), /Night by night. 209 nights with a value/);
      await panel.getByText("Table of the nights").click();
      const rows = panel.locator("tbody tr");
      assert.equal(await rows.count(), allDays.length);
      const newest = await rows.first().innerText();
      assert.ok(newest.startsWith("2026-11-29 02:15") && newest.includes(revisionOf(364).slice(0, 12)), newest);
      assert.ok((await rows.nth(364 - STEP).innerText()).includes("→"), "the night of the change");
    }));

  test("of parity shows the error ratio with the bound, and its drift as an alarm", () =>
    page("parity", checked(0), async (at, panel) => {
      const text = await panel.innerText();
      assert.match(text, /error ratio, logarithmic[^]*bound[^]*no alarm below/);
      assert.match(text, /0\.2 on 10 Mar 2026, 0\.8 on 29 Nov 2026[^]*Grey: another machine/);
      assert.match(text, /alarm/);
      const paths = panel.locator("svg g[stroke] path, svg path[stroke]");
      assert.ok((await paths.count()) >= 2, "another machine is a line of its own");
    }));

  test("that ended, began or was infinite once shows the values it has", async () => {
    await page("parity", checked(2), async (at, panel) => assert.match(await panel.innerText(), /gone/));
    await page("throughput", timed(2), async (at, panel) =>
      assert.match(await panel.innerText(), /4 nights with a value/),
    );
    await page("parity", checked(3), async (at, panel) => {
      await panel.getByText("Table of the nights").click();
      assert.match(await panel.locator("tbody tr", { hasText: "2026-01-19" }).innerText(), /failed\s+∞/);
    });
  });

  test("that only the history has is shown", async () => {
    await page("parity", former, async (at, panel) => {
      assert.match(await at.locator(".case-head").innerText(), /This run does not have the case; earlier nights do/);
      assert.match(await panel.innerText(), /gone/);
    });
    await shown("year", "#case?measure=parity&id=000000000000", async (at) =>
      assert.equal(await at.locator("h1").innerText(), "No such case"),
    );
  });

  test("whose points are damaged says so", async () => {
    const text = readFileSync(pages.year, "utf8");
    const end = text.indexOf("</script>");
    const last = text.lastIndexOf("\n", end);
    pages.damaged = join(folder, "damaged.html");
    writeFileSync(pages.damaged, text.slice(0, last + 100) + text.slice(end));
    await shown("damaged", `#case?measure=parity&id=${checked(0).id}`, async (at) => {
      await at.getByText("The history of this case cannot be read: the file is damaged.").waitFor();
      assert.equal(await at.locator(".case-head").count(), 1);
    });
  });
});

describe("everyone", () => {
  const places = () => [
    ["year", ""],
    ["year", "#history"],
    ["year", "#history?measure=throughput"],
    ["one", "#history"],
    ["few", ""],
    ["year", `#case?measure=throughput&id=${timed(0).id}`],
    ["year", `#case?measure=parity&id=${checked(0).id}`],
    ["one", `#case?measure=parity&id=${checked(0).id}`],
    ["few", `#case?measure=throughput&id=${timed(0).id}`],
  ];
  test("axe finds nothing in light and dark, nothing moves, and nothing is wider than the page", async () => {
    for (const [name, hash] of places())
      await shown(name, hash, async (at) => {
        await steady(at, `${name}${hash}`);
        if (name !== "year")
          for (const details of await at.locator(".history-place summary").all()) await details.click();
        await accessible(at);
      });
  });

  test("nothing moves, and nothing is wider than the page, on a telephone either", async () => {
    for (const [name, hash] of places())
      await shown(name, hash, (at) => steady(at, `${name}${hash} on a telephone`), { viewport: NARROW });
  });

  test("prints", () =>
    shown("year", "#history", async (at) => {
      await drawn(at);
      await at.emulateMedia({ media: "print" });
      assert.ok(await at.locator(".sparkline").first().isVisible());
      assert.ok((await at.pdf()).length > 10000);
    }));

  test("without a history there is no such view", async () => {
    const { page, close } = await open(instance, plain, { hash: "#history" });
    assert.equal(await page.locator("h1").innerText(), "No history");
    assert.equal(await page.getByRole("link", { name: "History" }).count(), 0);
    await close();
  });
});
