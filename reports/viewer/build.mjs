// Bundles the viewer into one HTML file without data: node build.mjs FILE.
// reports/outputs/html_report.cpp replaces __VPARITY_DATA__ by the data.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
if (!out) throw new Error("usage: node build.mjs FILE");

async function bundled(file) {
  const result = await build({
    entryPoints: [join(here, "src", file)],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: "iife",
    target: "es2020",
    charset: "ascii",
    legalComments: "inline",
  });
  return { text: result.outputFiles[0].text.trim(), inputs: Object.keys(result.metafile.inputs) };
}

/** Licences of the packages in the page, which must be distributed with their code. */
function licences(inputs) {
  const packages = new Set(inputs.flatMap((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? []));
  const texts = [...packages].sort().map((name) => {
    const folder = join(here, "node_modules", name);
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), "utf8").trim() : ""}`;
  });
  return texts
    .join("\n\n\n")
    .replace(/-->/g, "->")
    .replace(/[^\x00-\x7f]/g, "?");
}

const { text: script, inputs } = await bundled("main.ts");
if (/<\/script|<!--/i.test(script)) throw new Error("the script would end its own element");
const parts = {
  __STYLE__: (await bundled("style.css")).text,
  __SCRIPT__: script,
  // The page's Content-Security-Policy permits only this script.
  __SCRIPT_HASH__: createHash("sha256").update(script).digest("base64"),
  __LICENCES__: licences(inputs),
};
const page = readFileSync(join(here, "src", "page.html"), "utf8");
writeFileSync(
  out,
  page.replace(/__(STYLE|SCRIPT|SCRIPT_HASH|LICENCES)__/g, (name) => parts[name]),
);
