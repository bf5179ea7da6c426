// Reads what the page carries, and says so where that cannot be.
import { App } from "./app.ts";
import { canUnpack, takeBlocks, unpackJson } from "./blocks.ts";
import { h } from "./dom.ts";
import { themeButton } from "./theme.ts";
import type { Page } from "./report.ts";

const main = document.getElementById("main")!;

function refuse(title: string, why: string): void {
  main.replaceChildren(
    h(
      "section",
      { class: "panel empty" },
      h("h1", { tabindex: -1 }, title),
      h("p", {}, why),
      h("p", {}, "The same results stand in summary.md and parity.json."),
    ),
  );
}

async function read(): Promise<void> {
  if (!canUnpack())
    return refuse(
      "This browser cannot show the report",
      "It lacks DecompressionStream, which unpacks the data: Chrome and Edge have it from version 80 on, Firefox from 113, Safari from 16.4.",
    );
  const blocks = takeBlocks(document.getElementById("data")!);
  const data = await unpackJson(blocks[0] ?? "").catch(() => null);
  if (data === null) return refuse("This file is damaged", "Its data cannot be unpacked; perhaps it was cut short.");
  performance.mark("read");
  new App(data as Page, blocks, main);
  performance.mark("shown");
}

document.getElementById("theme")!.replaceChildren(themeButton());
document.querySelector<HTMLAnchorElement>(".skip")!.addEventListener("click", (event) => {
  event.preventDefault(); // the hash is the state
  main.focus();
});
void read();
