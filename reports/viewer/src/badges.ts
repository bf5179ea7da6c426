// Status and error ratio as they look everywhere: never by colour alone.
import { digits, percent } from "./units.ts";
import { h } from "./dom.ts";
import type { Row } from "./model.ts";

const SIGN: Record<string, string> = {
  passed: "✓",
  failed: "✕",
  untrusted: "?",
  crashed: "✕",
  timeout: "◷",
  error: "!",
  skipped: "–",
  not_run: "○",
  known: "~",
};

export const statusName = (status: string): string => status.replace(/_/g, " ");

/** `look`: the status whose colour and sign it has. */
export function badge(status: string, look = status): HTMLElement {
  return h(
    "span",
    { class: `badge s-${look}` },
    h("span", { "aria-hidden": "true" }, `${SIGN[look] ?? "·"} `),
    statusName(status),
  );
}
export const badgeOf = (row: Row): HTMLElement => badge(row.status);

/** The error ratio and a bar whose right end is the bound. */
export function errorRatioBar(error_ratio: number): HTMLElement {
  const over = !(error_ratio <= 1);
  const width = over ? 100 : Math.max(0, Math.min(100, 100 * error_ratio));
  return h(
    "span",
    { class: over ? "bar over" : "bar" },
    h("span", { class: "bar-value" }, digits(error_ratio)),
    h(
      "span",
      { class: "bar-track", "aria-hidden": "true" },
      h("span", { class: "bar-fill", style: `width:${width}%` }),
    ),
  );
}

export function shareBar(share: number): HTMLElement {
  const width = Math.max(0, Math.min(100, 100 * share));
  return h(
    "span",
    { class: "bar share" },
    h("span", { class: "bar-value" }, percent(share)),
    h(
      "span",
      { class: "bar-track", "aria-hidden": "true" },
      h("span", { class: "bar-fill", style: `width:${width}%` }),
    ),
  );
}
