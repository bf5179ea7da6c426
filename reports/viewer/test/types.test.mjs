// Checks the viewer's sources: types, agreement with the JSON Schemas, no circular imports.
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { current, file, read, schemaTypes } from "../schema_types.mjs";

const viewer = dirname(dirname(fileURLToPath(import.meta.url)));
const src = join(viewer, "src");

/** Per file: the files that it imports from. */
function importsOf(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  const from = (name) => [...readFileSync(join(folder, name), "utf8").matchAll(/ from "\.\/([^"]+)";/g)];
  return new Map(names.map((name) => [name, from(name).map(([, imported]) => imported)]));
}

/** The first circle, such as ["a.ts", "b.ts", "a.ts"], or null. */
function circleOf(imports) {
  const done = new Set();
  const visit = (name, path) => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return null;
    for (const next of imports.get(name) ?? []) {
      const found = visit(next, [...path, name]);
      if (found) return found;
    }
    done.add(name);
    return null;
  };
  for (const name of imports.keys()) {
    const found = visit(name, []);
    if (found) return found;
  }
  return null;
}

test("a circle of imports is found", () => {
  const circle = new Map(Object.entries({ a: ["b", "c"], b: ["c"], c: ["d", "b"], d: [] }));
  assert.deepEqual(circleOf(circle), ["b", "c", "b"]);
  assert.equal(circleOf(new Map(Object.entries({ a: ["b", "c"], b: ["c"], c: [] }))), null);
});

test("no source files import each other in a circle", () => {
  const imports = importsOf(src);
  assert.ok(imports.get("main.ts").includes("app.ts"), "imports are read");
  assert.equal(circleOf(imports), null);
});

test("the types of the reports are those of the JSON Schemas", async () => {
  assert.ok(readFileSync(file, "utf8") === (await current()), "a schema changed: npm run schema-types");
});

test("a member that is added to a schema changes the types", async () => {
  const [schema, patch, comparison] = ["parity.schema.json", "throughput.patch.json", "comparison.schema.json"].map(
    read,
  );
  schema.$defs.output.properties.added = { type: "integer" };
  const text = await schemaTypes(schema, patch, comparison);
  assert.equal(text.match(/added\?: number;/g).length, 2, "in parity, and in throughput, which is patched from it");
});

test("the types are right", () => {
  execFileSync(process.execPath, [join(viewer, "node_modules/typescript/bin/tsc"), "-p", viewer], { stdio: "inherit" });
});
