// A case in a few words: status, error ratio, link, what is wrong with it. Colour is never the only sign.
import { h } from "./dom.ts";
import { numberOf } from "./report.ts";
import { afresh } from "./state.ts";
import { count, digits, exact, percent } from "./units.ts";
import type { Row } from "./model.ts";
import type { Output } from "./report.ts";
import type { State } from "./state.ts";

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

/** `look`: the status whose colour and sign the badge takes. */
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

export const caseLink = (row: Row, state: State): HTMLElement =>
  h("a", { class: "mono", href: afresh(state, { view: "case", measure: row.measure, id: row.case.id }) }, row.case.id);

/** What is wrong with a case: the worst element of the worst output, invariants, or the reason. */
export function whyOf(row: Row): (Node | string)[] {
  const parts: (Node | string)[] = [];
  const worst = row.worst;
  if (worst && row.error_ratio !== null && !(row.error_ratio <= 1)) parts.push(...elementOf(worst));
  for (const one of row.case.invariants ?? [])
    if (!one.ok)
      parts.push(
        parts.length ? "; " : "",
        h("strong", {}, one.name),
        ` is ${digits(numberOf(one.value), 4)}, limit ${digits(numberOf(one.bound), 4)}`,
      );
  if (row.case.rank_agreement === false)
    parts.push(parts.length ? "; " : "", "replicated results differ between ranks");
  if (row.case.inputs_unchanged === false) parts.push(parts.length ? "; " : "", "the provider changed its inputs");
  if (parts.length === 0 && row.case.reason) {
    const phase = row.case.phase === "done" || row.case.phase === "plan" ? "" : ` (in ${row.case.phase})`;
    parts.push(h("strong", {}, row.case.reason.code), `${phase}: ${row.case.reason.text}`);
  }
  return parts;
}

function elementOf(output: Output): (Node | string)[] {
  const parts: (Node | string)[] = [
    h("strong", {}, output.name),
    ": error ratio ",
    h("strong", { class: "bad-text" }, digits(numberOf(output.error_ratio), 4)),
    ", bound 1",
  ];
  const at = output.worst;
  if (at)
    parts.push(
      `; row ${at.row}, column ${at.column}, rank ${at.rank}: expected `,
      h("code", {}, exact(numberOf(at.expected))),
      ", actual ",
      h("code", {}, exact(numberOf(at.actual))),
    );
  parts.push(`; ${count(output.mismatches)} of ${count(output.checked)} elements outside the bound`);
  return parts;
}
