// The picture in docs/: node screenshot.mjs REPORT.html PICTURE.png [#VIEW]. CHROMIUM names the browser.
import { chromium } from "playwright-core";
import { resolve } from "node:path";

const [report, picture, hash = ""] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const page = await browser.newPage({ viewport: { width: 1200, height: 760 }, colorScheme: "light" });
await page.goto(`file://${resolve(report)}${hash}`);
await page.screenshot({ path: picture });
await browser.close();
