// Generates src/schema_types.ts from the JSON Schemas of the reports: `npm run schema-types` after a schema changed.
import { compile } from "json-schema-to-typescript";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readFileSync, writeFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";

const here = dirname(fileURLToPath(import.meta.url));
export const file = join(here, "src", "schema_types.ts");
const schemas = join(here, "..", "schemas");
export const read = (name) => JSON.parse(readFileSync(join(schemas, name), "utf8"));

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** A JSON merge patch (RFC 7386), as reports/schemas/schemas.cpp applies it. */
function merged(target, patch) {
  if (!isObject(patch)) return patch;
  const result = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch))
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  return result;
}

/** Removes the conditions on an object's members: they restrict values, but would become types. */
function shape(schema) {
  if (Array.isArray(schema)) return schema.map(shape);
  if (!isObject(schema)) return schema;
  const { if: condition, then, else: otherwise, ...rest } = schema;
  if (rest.properties) delete rest.anyOf;
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, shape(value)]));
}

async function namespace(name, schema) {
  const text = await compile({ ...shape(schema), title: "Document" }, "Document", {
    additionalProperties: false,
    bannerComment: "",
    format: false,
  });
  return `export namespace ${name} {\n${text}\n}\n`;
}

/** The text of schema_types.ts for these schemas. */
export async function schemaTypes(parity, patch, comparison) {
  const parts = [
    "// Generated from reports/schemas by schema_types.mjs: do not edit.\n",
    await namespace("parity", parity),
    await namespace("throughput", merged(parity, patch)),
    await namespace("comparison", comparison),
  ];
  return format(parts.join("\n"), { ...(await resolveConfig(file)), filepath: file });
}

export const current = () =>
  schemaTypes(read("parity.schema.json"), read("throughput.patch.json"), read("comparison.schema.json"));

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(file, await current());
