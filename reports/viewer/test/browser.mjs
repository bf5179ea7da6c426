// Opens pages from disk in Chromium, and records every error in them.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";
import { readFileSync } from "node:fs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const WIDE = { width: 1360, height: 850 };
export const NARROW = { width: 400, height: 850 };

export async function browser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

/** Adds up the layout shift of a page from its first frame on. */
function watchShifts() {
  globalThis.layoutShift = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((one) => (globalThis.layoutShift += one.value))).observe({
    type: "layout-shift",
    buffered: true,
  });
}

/** Opens a page. `close` fails if the page had an error or sent a network request. */
export async function open(instance, file, { hash = "", ...options } = {}) {
  const context = await instance.newContext({ viewport: WIDE, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(message.text()));
  page.on("dialog", (dialog) => (wrong.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => request.url().startsWith("file:") || wrong.push(`request: ${request.url()}`));
  await page.addInitScript(watchShifts);
  await page.goto(`file://${file}${hash}`);
  await page.locator("h1").first().waitFor();
  return {
    page,
    async close() {
      await context.close();
      assert.deepEqual(wrong, []);
    },
  };
}

const twoFrames = async () => {
  for (let frame = 0; frame < 2; ++frame) await new Promise(requestAnimationFrame);
};

async function violationsOf(page, options) {
  const found = await page.evaluate((asked) => globalThis.axe.run(document, asked), {
    resultTypes: ["violations"],
    preload: false,
    ...options,
  });
  return found.violations.map(
    (one) =>
      `${one.id}: ${one.nodes
        .map((node) => node.html)
        .slice(0, 3)
        .join(" | ")}`,
  );
}

/** Switches to light or dark without transitions, and waits until the page is drawn. */
async function colours(page, colorScheme) {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.evaluate(twoFrames);
}

/**
 * Checks WCAG 2.1 A and AA and axe's best practices. The debugger runs axe, so the page's policy does not apply.
 * In dark colours only the contrast rules run, because no other rule depends on colours.
 */
export async function accessible(page) {
  await page.evaluate(axe);
  await colours(page, "light");
  assert.deepEqual(await violationsOf(page), [], "light");
  await colours(page, "dark");
  const contrast = ["color-contrast", "link-in-text-block"];
  assert.deepEqual(await violationsOf(page, { runOnly: { type: "rule", values: contrast } }), [], "dark");
}

/** The page did not move while it loaded, and it is not wider than the window. */
export async function steady(page, name) {
  await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
  await page.evaluate(twoFrames);
  const [moved, fits] = await page.evaluate(() => [
    globalThis.layoutShift,
    document.documentElement.scrollWidth <= document.documentElement.clientWidth,
  ]);
  assert.ok(moved < 0.01, `${name}: ${moved}`);
  assert.ok(fits, `${name} is wider than the page`);
}

export const texts = (locator) => locator.allInnerTexts();
