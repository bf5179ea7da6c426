// report.html of real runs in a browser.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readFileSync, writeFileSync } from "node:fs";
import { accessible, browser, NARROW, open, steady } from "./browser.mjs";
import {
  changed,
  crashing,
  failing,
  folder,
  interrupted,
  join,
  nightly,
  passing,
  readReport,
  skipping,
  throughput,
  vparity,
} from "./runs.mjs";

const runs = {};
let instance;
const page = (name) => join(runs[name], "report.html");
const number = (text) => Number(text.replace(/[^0-9.]/g, ""));

before(async () => {
  for (const [name, make] of Object.entries({ passing, failing, interrupted, skipping, crashing, throughput }))
    runs[name] = await make();
  instance = await browser();
});
after(() => instance?.close());

/** Opens the page of a run, and fails if the page had an error. */
async function shown(name, look, options) {
  const { page: opened, close } = await open(instance, page(name), options);
  await look(opened);
  await close();
}

describe("first screen", () => {
  test("a run that passed says so, how many, and where it ran", () =>
    shown("passing", async (at) => {
      const { provenance, hosts } = readReport(runs.passing);
      assert.equal(await at.locator("h1").innerText(), "Passed");
      assert.match(await at.locator(".sentence").innerText(), /^All 25 cases passed/);
      const facts = await at.locator("section", { hasText: "What ran where" }).innerText();
      for (const text of [provenance.git.revision.slice(0, 12), hosts[0].name, hosts[0].cpu, "cpu", "threads"])
        assert.ok(facts.includes(text), text);
      assert.equal(await at.locator(".failures").count(), 0);
      assert.equal(await at.title(), "Passed: smoke - vparity");
    }));

  test("failures stand first, worst first, with worst element, error ratio, bound and the command", () =>
    shown("failing", async (at) => {
      const cases = readReport(runs.failing).cases.filter((one) => one.status === "failed");
      const error_ratio = (one) => Math.max(...one.outputs.map((output) => output.error_ratio));
      const worst = cases.reduce((a, b) => (error_ratio(b) > error_ratio(a) ? b : a));
      const output = worst.outputs.find((one) => one.error_ratio === error_ratio(worst));
      assert.equal(await at.locator("h1").innerText(), "Failed");
      const card = at.locator(".card").first();
      const text = await card.innerText();
      assert.ok(text.includes(worst.id) && text.includes(output.name) && text.includes("bound 1"), text);
      assert.ok(
        text.includes(`row ${output.worst.row}, column ${output.worst.column}, rank ${output.worst.rank}`),
        text,
      );
      assert.ok(text.includes(String(output.worst.expected)) && text.includes(String(output.worst.actual)), text);
      assert.equal(await card.locator(".command code").innerText(), worst.repeat);
      const box = await card.boundingBox();
      assert.ok(box.y + box.height < 850, "the first failure stands on the first screen");
    }));

  test("one click copies the command", async () => {
    const permissions = { permissions: ["clipboard-read", "clipboard-write"] };
    await shown(
      "failing",
      async (at) => {
        const card = at.locator(".card").nth(1);
        await card.getByRole("button", { name: /copy/i }).click();
        await at.waitForFunction(() => document.getElementById("live").textContent === "Command copied");
        assert.equal(
          await at.evaluate(() => navigator.clipboard.readText()),
          await card.locator(".command code").innerText(),
        );
      },
      permissions,
    );
  });

  test("a count leads to the cases of that status", () =>
    shown("failing", async (at) => {
      await at.locator(".count", { hasText: "skipped" }).click();
      assert.deepEqual(await at.locator("tbody .badge").allInnerTexts(), ["– skipped"]);
    }));

  test("a run that ended early is incomplete, and says how many cases are missing", () =>
    shown("interrupted", async (at) => {
      const { not_run } = readReport(runs.interrupted).summary;
      assert.ok(not_run > 0);
      assert.equal(await at.locator("h1").innerText(), "Incomplete");
      assert.ok((await at.locator(".sentence").innerText()).includes(`${not_run} of 25 cases did not run`));
      const cases = readReport(runs.interrupted).cases.filter((one) => one.status === "failed");
      assert.equal(await at.locator(".card").count(), cases.length, "what did not run is no failure");
      assert.match(await at.locator(".failures h2").innerText(), new RegExp(`^Failures ${cases.length}, worst first`));
      const left = at.locator("section", { hasText: /^Did not run/ });
      assert.ok((await left.innerText()).includes(`Did not run: ${not_run} cases`));
      await left.getByRole("link").click();
      assert.equal(await at.locator("tbody .badge", { hasText: "not run" }).count(), not_run);
    }));

  test("a case that did not run is not coloured as a failure", () =>
    shown(
      "interrupted",
      async (at) => {
        const cases = readReport(runs.interrupted).cases;
        const bad = new Set(
          cases.filter((one) => one.status === "failed").map(({ params }) => `${params.tp} ${params.vocab}`),
        );
        assert.equal(await at.locator(".cell.bad").count(), bad.size);
        const away = cases.find((one) => !bad.has(`${one.params.tp} ${one.params.vocab}`) && one.status === "not_run");
        const there = cases.filter(({ params }) => params.tp === away.params.tp && params.vocab === away.params.vocab);
        const field = at.getByRole("link", {
          name: new RegExp(
            `^tp ${away.params.tp}, vocab ${away.params.vocab}: .* ${there.filter((one) => one.status === "not_run").length} not run$`,
          ),
        });
        assert.equal(await field.count(), 1);
        assert.ok((await at.locator(".legend").innerText()).includes("not run"));
      },
      { hash: "#grid" },
    ));

  test("a run without any case that could run does not pass, and says why", () =>
    shown("skipping", async (at) => {
      assert.equal(await at.locator("h1").innerText(), "Nothing ran");
      const { cases } = readReport(runs.skipping);
      const { code, text } = cases[0].reason;
      const alike = cases.filter(({ reason }) => reason.code === code && reason.text === text).length;
      const reason = at
        .locator("section", { hasText: "Skipped" })
        .getByRole("listitem")
        .filter({ hasText: text })
        .first();
      assert.equal(await reason.innerText(), `${alike} case${alike === 1 ? "" : "s"}: ${code}: ${text}`);
      await reason.getByRole("link").click();
      await at.locator("h1", { hasText: "Cases" }).waitFor();
      assert.equal(
        await at.locator("tbody .badge", { hasText: "skipped" }).count(),
        cases.filter(({ reason }) => reason.code === code).length,
      );
    }));

  test("skipped cases show their reason", () =>
    shown("failing", async (at) => {
      const one = readReport(runs.failing).cases.find(({ status }) => status === "skipped");
      assert.ok(
        (await at.locator("section", { hasText: /^Skipped/ }).innerText()).includes(
          `1 case: ${one.reason.code}: ${one.reason.text}`,
        ),
      );
    }));

  test("a crash is shown with its rank and phase", () =>
    shown("crashing", async (at) => {
      const text = await at.locator(".failures").innerText();
      const crashed = readReport(runs.crashing).cases.filter((one) => one.status === "crashed");
      assert.ok(crashed.length > 0);
      for (const one of crashed)
        assert.ok(text.includes(one.id) && text.includes(one.reason.text.split("\n")[0]), text);
    }));
});

describe("cases", () => {
  test("axes, status and text filter together, and the URL holds what is chosen", () =>
    shown(
      "passing",
      async (at) => {
        const cases = readReport(runs.passing).cases;
        const wanted = cases.filter(
          (one) => one.params.tp === 2 && one.params.dtype === "bf16" && one.key.includes("gpt") === false,
        );
        const choose = async (axis, value) => {
          await at.locator("summary", { hasText: new RegExp(`^${axis} `) }).click();
          await at.getByRole("checkbox", { name: new RegExp(`^${value} `) }).check();
          await at.keyboard.press("Escape");
        };
        await choose("tp", "2");
        await choose("dtype", "bf16");
        await at.getByRole("searchbox").fill("lm_like");
        assert.equal(await at.locator("tbody tr").count(), wanted.length);
        await at.waitForURL((url) => url.hash === "#cases?axis.dtype=bf16&axis.tp=2&q=lm_like");
        assert.equal(await at.locator(".found").innerText(), `${wanted.length} of 25 cases`);

        const url = at.url();
        const ids = await at.locator("tbody td:nth-child(2)").allInnerTexts();
        await at.goto("about:blank");
        await at.goto(url);
        assert.deepEqual(await at.locator("tbody td:nth-child(2)").allInnerTexts(), ids);
        assert.equal(await at.getByRole("searchbox").inputValue(), "lm_like");
        await at.getByRole("button", { name: "Clear filters" }).click();
        assert.equal(await at.locator("tbody tr").count(), 25);
      },
      { hash: "#cases" },
    ));

  test("columns sort in both directions, by number", () =>
    shown(
      "passing",
      async (at) => {
        const error_ratios = async () => (await at.locator(".bar-value").allInnerTexts()).map(Number);
        const head = at.locator("th", { hasText: "Error ratio" });
        await head.getByRole("button").click();
        assert.equal(await head.getAttribute("aria-sort"), "descending");
        assert.deepEqual(
          await error_ratios(),
          (await error_ratios()).sort((a, b) => b - a),
        );
        await head.getByRole("button").click();
        assert.equal(await head.getAttribute("aria-sort"), "ascending");
        assert.deepEqual(
          await error_ratios(),
          (await error_ratios()).sort((a, b) => a - b),
        );
        await at.waitForURL(/sort=error_ratio$/);
        assert.equal(await at.evaluate(() => document.activeElement.dataset.sort), "error_ratio", "the focus stays");
      },
      { hash: "#cases" },
    ));

  test("the browser's back button returns to earlier views", () =>
    shown("passing", async (at) => {
      await at.getByRole("link", { name: "Cases", exact: true }).click();
      await at.locator("tbody a").first().click();
      assert.match(await at.locator("h1").innerText(), /^Case [0-9a-f]{12}/);
      await at.goBack();
      await at.locator("h1", { hasText: "Cases" }).waitFor();
      await at.goBack();
      await at.locator("h1", { hasText: "Passed" }).waitFor();
    }));

  test("works by keyboard alone", () =>
    shown("failing", async (at) => {
      await at.keyboard.press("Tab");
      assert.equal(await at.evaluate(() => document.activeElement.textContent), "Skip to the content");
      await at.keyboard.press("Enter");
      assert.equal(await at.evaluate(() => document.activeElement.id), "main");
      await at.goto(`${at.url().split("#")[0]}#cases`);
      await at.reload();
      const onSummary = () => at.evaluate(() => document.activeElement.tagName === "SUMMARY");
      for (let i = 0; i < 30 && !(await onSummary()); ++i) await at.keyboard.press("Tab");
      await at.keyboard.press("Enter"); // opens the statuses
      await at.keyboard.press("Tab");
      await at.keyboard.press("Space"); // the first: failed
      await at.waitForURL(/#cases\?status=failed$/);
      assert.equal(await at.locator("tbody tr").count(), 24);
      await at.keyboard.press("Escape");
      assert.ok(await onSummary(), "Escape closes the list and stays there");
    }));

  test("nonsense in the URL shows something sensible", async () => {
    for (const hash of [
      "#nothing?x",
      "#cases?page=-3&sort=nothing&axis.nothing=1",
      "#case?id=%3Cscript%3E",
      "#grid?rows=x&columns=y&colour=z",
      "#%",
      "#cases?run=99",
    ])
      await shown("passing", async (at) => assert.ok((await at.locator("h1").innerText()).length > 0), { hash });
  });
});

describe("grid", () => {
  test("a field shows the worst error ratio of its cases and leads to them", () =>
    shown(
      "passing",
      async (at) => {
        const cases = readReport(runs.passing).cases.filter((one) => one.params.tp === 2 && one.params.vocab === 1003);
        const worst = Math.max(...cases.flatMap((one) => one.outputs.map((output) => output.error_ratio)));
        const field = at.getByRole("link", { name: /^tp 2, vocab 1003:/ });
        assert.equal(number(await field.locator("span").innerText()), Number(worst.toPrecision(2)));
        await field.click();
        assert.equal(await at.locator("tbody tr").count(), cases.length);
      },
      { hash: "#grid" },
    ));

  test("of throughput shows tokens per second, in five steps of one ratio", () =>
    shown(
      "throughput",
      async (at) => {
        await at.getByRole("combobox", { name: "Colour" }).selectOption("rate");
        await at.waitForURL(/colour=rate/);
        const cases = readReport(runs.throughput, "throughput").cases;
        const of = (tp, variant) =>
          cases
            .filter((one) => one.params.tp === tp && one.variant === variant)
            .map((one) => one.tokens_per_s)
            .sort((a, b) => a - b);
        const field = at.getByRole("link", { name: /^variant fast, tp 2: median tokens per second/ });
        const two = of(2, "fast");
        assert.equal(two.length, 2);
        const scale = { k: 1e3, M: 1e6, G: 1e9 };
        const [, digits, unit] = /^([0-9.]+)\s(.)tok\/s$/.exec(await field.locator("span").innerText());
        assert.ok(Math.abs((Number(digits) * scale[unit]) / ((two[0] + two[1]) / 2) - 1) < 0.006);
        const best = Math.max(
          ...[1, 2].flatMap((tp) =>
            [...new Set(cases.map((one) => one.variant))]
              .map((variant) => of(tp, variant))
              .map(([a, b]) => (a + b) / 2),
          ),
        );
        const legend = await at.locator(".legend li").allInnerTexts();
        assert.equal(legend.length, 7);
        assert.match(legend[0], /Logarithmic/);
        assert.ok(
          legend[5].includes(String(Number((best / scale[/(.)tok/.exec(legend[5])[1]]).toPrecision(3)))),
          legend[5],
        );
        assert.equal((await at.locator(".cell.c-best").count()) >= 1, true);
      },
      { hash: "#grid" },
    ));

  test("any two axes", () =>
    shown(
      "passing",
      async (at) => {
        await at.getByRole("combobox", { name: "Rows" }).selectOption("dtype");
        await at.getByRole("combobox", { name: "Columns" }).selectOption("dp");
        await at.waitForURL(/rows=dtype&columns=dp/);
        assert.deepEqual(await at.locator(".grid thead th").allInnerTexts(), ["dtype \\ dp", "1", "2"]);
      },
      { hash: "#grid" },
    ));
});

describe("case", () => {
  test("shows parameters, errors, invariants and the same case at other TP sizes", async () => {
    const one = readReport(runs.passing).cases.find((each) => each.params.tp === 2 && each.params.vocab === 128);
    await shown(
      "passing",
      async (at) => {
        for (const output of one.outputs)
          assert.equal(
            await at
              .locator("section", { hasText: "Errors against the bound" })
              .getByRole("row", { name: new RegExp(`^${output.name} `) })
              .count(),
            1,
          );
        for (const check of one.invariants)
          assert.ok((await at.getByRole("rowheader", { name: check.name, exact: true }).count()) > 0, check.name);
        const sizes = at.locator("section", { hasText: "Other TP sizes" }).locator("tbody th");
        assert.deepEqual(await sizes.allInnerTexts(), ["1", "2 (this case)"]);
        assert.equal(
          await at
            .locator("dt", { hasText: /^vocab$/ })
            .locator("xpath=../dd")
            .innerText(),
          "128",
        );
      },
      { hash: `#case?id=${one.id}` },
    );
  });

  test("of throughput: samples, median with interval, share of the floor, what it moves", async () => {
    const one = readReport(runs.throughput, "throughput").cases.find(
      (each) => each.params.tp === 2 && each.variant === "fast",
    );
    await shown(
      "throughput",
      async (at) => {
        assert.equal(await at.locator("figure svg").first().locator("circle").count(), one.samples_s.length);
        const facts = await at.locator("section", { hasText: "Time of forward" }).innerText();
        for (const name of ["Median", "Share of floor", "Collectives", "Extra memory", "Tokens"])
          assert.ok(facts.includes(name), name);
        const share = await at
          .locator("dt", { hasText: /^Share of floor$/ })
          .locator("xpath=../dd")
          .innerText();
        assert.ok(
          Math.abs(number(share.split("%")[0]) - 100 * one.share_of_floor) <= 0.006 * 100 * one.share_of_floor,
          share,
        );
        assert.match(await at.locator("figure", { hasText: "other TP sizes" }).innerText(), /of ideal/);
      },
      { hash: `#case?id=${one.id}` },
    );
  });
});

describe("several runs", () => {
  test("one page lists them and leads to each", async () => {
    const file = join(folder, "both.html");
    const { stdout } = await vparity("report", runs.passing, runs.failing, "--html", file);
    assert.match(stdout, /both\.html\n.*25 passed.*\n.*24 failed/);
    const { page: at, close } = await open(instance, file);
    assert.equal(await at.locator("h1").innerText(), "1 of 2 runs passed");
    assert.match(await at.locator(".verdict.bad").innerText(), /Other runs: 1 failed\./);
    assert.equal(await at.title(), "1 of 2 runs passed - vparity");
    assert.deepEqual(await at.locator("tbody .badge").allInnerTexts(), ["✓ passed", "✕ failed"]);
    await at.getByRole("link", { name: runs.failing }).click();
    assert.equal(await at.locator("h1").innerText(), "Failed");
    assert.equal(await at.title(), `Failed: smoke, ${runs.failing} - vparity`);
    await at.getByRole("link", { name: "Cases", exact: true }).click();
    assert.equal(await at.locator("tbody .badge", { hasText: "failed" }).count(), 24);
    await at.waitForURL(/run=2/);
    await close();
  });
});

describe("error ratios by output", () => {
  const cells = (at) =>
    at
      .locator("section", { hasText: "Error ratios by output" })
      .locator("tbody tr")
      .evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText)));

  test("count error ratios of 0, but not infinite ones or those with nothing to compare", async () => {
    // Of 25 cases one has nothing to compare and one is infinite. The median of the other 23 is the 12th, which is 0.
    runs.zeros = await changed("zeros", runs.passing, (report) => {
      report.cases.forEach((one, i) =>
        Object.assign(one.outputs[0], {
          error_ratio: i < 14 ? 0 : 0.5,
          nontrivial: i === 0 ? 0 : 1,
          naive: { max_abs: 1, error_ratio: i % 2 ? 2 : 0.5 },
        }),
      );
      const last = report.cases[24];
      last.outputs[0].error_ratio = "Infinity";
      report.summary.worst = { case: last.id, output: last.outputs[0].name, error_ratio: "Infinity" };
    });
    await shown("zeros", async (at) => {
      const [name, cases, least, median, p95, largest, , caught] = (await cells(at))[0];
      assert.deepEqual(
        [name, cases, least, median, p95, largest],
        [readReport(runs.passing).cases[0].outputs[0].name, "23", "0", "0", "0.5", "0.5"],
      );
      assert.equal(number(caught), 52.2, "12 of 23");
    });
  });

  test("agree with summary.md, for parity and throughput together", async () => {
    runs.nightly = await nightly();
    const text = readFileSync(join(runs.nightly, "summary.md"), "utf8");
    const lines = text.slice(text.indexOf("naive caught")).split("\n").slice(2);
    const wanted = lines
      .slice(
        0,
        lines.findIndex((line) => !line.startsWith("|")),
      )
      .map((line) =>
        line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    assert.ok(wanted.length > 3, text);
    await shown("nightly", async (at) => {
      const found = await cells(at);
      assert.deepEqual(
        found.map(([name, ...rest]) => [name, ...rest.slice(0, 5).map(Number)]),
        wanted.map(([name, ...rest]) => [name, ...rest.slice(0, 5).map(Number)]),
      );
      found.forEach((row, i) =>
        assert.ok(
          row[7] === wanted[i][6] || Math.abs(number(row[7]) - number(wanted[i][6])) <= 0.5,
          `${row} ${wanted[i]}`,
        ),
      );
    });
  });
});

describe("what cannot be shown", () => {
  test("a browser without DecompressionStream is told so", async () => {
    const context = await instance.newContext();
    const at = await context.newPage();
    await at.addInitScript(() => delete globalThis.DecompressionStream);
    await at.goto(`file://${page("passing")}`);
    assert.match(
      await at.locator("main").innerText(),
      /This browser cannot show the report[^]*DecompressionStream[^]*Firefox from 113/,
    );
    await context.close();
  });

  test("a page that was cut short says so", async () => {
    const text = readFileSync(page("passing"), "utf8");
    const begin = text.indexOf('id="data">') + 10;
    const file = join(folder, "cut.html");
    writeFileSync(file, text.slice(0, begin + 4000) + text.slice(text.indexOf("</script>", begin)));
    const { page: at, close } = await open(instance, file);
    assert.equal(await at.locator("h1").innerText(), "This file is damaged");
    await close();
  });
});

describe("everyone", () => {
  const id = (name, measure) => readReport(runs[name], measure).cases[0].id;
  const places = () => [
    ["passing", ""],
    ["failing", ""],
    ["interrupted", ""],
    ["skipping", ""],
    ["crashing", ""],
    ["throughput", ""],
    ["failing", "#cases"],
    ["failing", "#grid"],
    ["throughput", "#cases"],
    ["throughput", "#grid"],
    ["failing", `#case?id=${id("failing")}`],
    ["crashing", `#case?id=${id("crashing")}`],
    ["throughput", `#case?id=${id("throughput", "throughput")}`],
  ];
  test("axe finds nothing in light and dark, nothing moves, and nothing is wider than the page", async () => {
    for (const [name, hash] of places())
      await shown(
        name,
        async (at) => {
          await steady(at, `${name}${hash}`);
          await accessible(at);
        },
        { hash },
      );
  });

  test("nothing moves, and nothing is wider than the page, on a telephone either", async () => {
    for (const [name, hash] of places())
      await shown(name, (at) => steady(at, `${name}${hash} on a telephone`), { hash, viewport: NARROW });
  });

  test("the button turns light into dark, and it stays so", () =>
    shown(
      "passing",
      async (at) => {
        const background = () => at.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const light = await background();
        await at.getByRole("button", { name: "Dark" }).click();
        const dark = await background();
        assert.notEqual(dark, light);
        await at.reload();
        assert.equal(await background(), dark);
      },
      { colorScheme: "light" },
    ));

  test("prints", () =>
    shown("failing", async (at) => {
      await at.emulateMedia({ media: "print" });
      assert.equal(await at.getByRole("navigation").count(), 0);
      assert.ok(await at.locator(".card").first().isVisible());
      assert.ok((await at.pdf()).length > 10000);
    }));
});
