// Starts the page: the theme, then the data, or a message where the data cannot be read.
import { App } from "./app.ts";
import { canUnpack, takeBlocks, unpackJson } from "./blocks.ts";
import { h } from "./dom.ts";
import type { Page } from "./report.ts";

const KEY = "vparity-theme";

const dark = (): boolean => {
  const chosen = document.documentElement.dataset["theme"];
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

/** Browsers may forbid storage to pages opened from disk. */
function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // the choice is lost when the page is closed
  }
}

export function themeButton(): HTMLElement {
  const theme = remembered();
  if (theme === "dark" || theme === "light") document.documentElement.dataset["theme"] = theme;
  const button = h("button", { type: "button" });
  const say = () => (button.textContent = dark() ? "Light" : "Dark");
  button.addEventListener("click", () => {
    const next = dark() ? "light" : "dark";
    document.documentElement.dataset["theme"] = next;
    remember(next);
    say();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", say);
  say();
  return button;
}

const main = document.getElementById("main")!;

function refuse(title: string, why: string): void {
  main.replaceChildren(
    h(
      "section",
      { class: "panel empty" },
      h("h1", { tabindex: -1 }, title),
      h("p", {}, why),
      h("p", {}, "The same results are in summary.md and parity.json."),
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
  event.preventDefault(); // the URL's hash holds the state, so it must not change
  main.focus();
});

void read();
