// Pages in Debian's Chromium, from disk, with everything that goes wrong in them.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";
import { readFileSync } from "node:fs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export async function browser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

/** A page that may ask nothing of any network; `close` says what went wrong in it. */
export async function open(instance, file, { hash = "", ...options } = {}) {
  const context = await instance.newContext({ viewport: { width: 1360, height: 850 }, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(message.text()));
  page.on("dialog", (dialog) => (wrong.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => request.url().startsWith("file:") || wrong.push(`request: ${request.url()}`));
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

/** WCAG 2.1 A and AA, and axe's best practices. Run by the browser's debugger, which the page's policy does not bind. */
export async function accessible(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  const found = violations.map(
    (one) =>
      `${one.id}: ${one.nodes
        .map((node) => node.html)
        .slice(0, 3)
        .join(" | ")}`,
  );
  assert.deepEqual(found, []);
}

export const texts = (locator) => locator.allInnerTexts();
