// Creates all elements of the page. Strings become text nodes or attribute values, never markup.

type Child = Node | string | number | null | undefined | false;

type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number>,
  ...children: Node[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

function append(element: Element, children: (Child | Child[])[]): void {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** A table with a caption for screen readers. `numeric`: indices of right-aligned columns. */
export function table(
  caption: string,
  head: string[],
  rows: (Child | Child[])[][],
  numeric: number[] = [],
): HTMLElement {
  const right = (column: number) => (numeric.includes(column) ? "num" : null);
  const body = rows.map((cells) =>
    h(
      "tr",
      {},
      cells.map((cell, i) =>
        i === 0 ? h("th", { scope: "row", class: right(i) }, cell) : h("td", { class: right(i) }, cell),
      ),
    ),
  );
  return scrollable(
    caption,
    h(
      "table",
      {},
      h("caption", { class: "visually-hidden" }, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          head.map((text, i) => h("th", { scope: "col", class: right(i) }, text)),
        ),
      ),
      h("tbody", {}, body),
    ),
  );
}

/** A box that scrolls sideways, also with the keyboard. */
export function scrollable(name: string, child: Node): HTMLElement {
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": name }, child);
}

export function facts(entries: [string, Child | Child[]][]): HTMLElement {
  return h(
    "dl",
    { class: "facts" },
    entries.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

/** A command and a button that copies it. */
export const command = (text: string): HTMLElement =>
  h("div", { class: "command" }, h("code", { tabindex: 0 }, text), copyButton(text));

/** `name` tells the button apart from the page's other copy buttons. */
export function copyButton(text: string, name = "this case"): HTMLElement {
  const button = h(
    "button",
    { type: "button", class: "copy", "aria-label": `Copy the command that repeats ${name}` },
    "Copy",
  );
  button.addEventListener("click", () => {
    const done = (word: string) => {
      button.textContent = word;
      say(word === "Copied" ? "Command copied" : "The browser does not allow copying");
      setTimeout(() => (button.textContent = "Copy"), 1500);
    };
    copy(text).then(
      () => done("Copied"),
      () => done("Failed"),
    );
  });
  return button;
}

/** Falls back to execCommand, because pages opened from disk may lack navigator.clipboard. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = h("textarea", { class: "visually-hidden", "aria-hidden": "true" });
    field.value = text;
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    if (!copied) throw new Error("not allowed");
  }
}

/** Announces a text to screen readers. */
export function say(text: string): void {
  const live = document.getElementById("live");
  if (live && live.textContent !== text) live.textContent = text;
}
