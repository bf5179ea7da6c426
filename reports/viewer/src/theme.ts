// Light or dark: as the system says, until the reader says otherwise.
import { h } from "./dom.ts";

const KEY = "vparity-theme";

const dark = (): boolean => {
  const chosen = document.documentElement.dataset["theme"];
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

/** Storage may be forbidden to pages from disk. */
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
    // then the choice holds until the page is closed
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
