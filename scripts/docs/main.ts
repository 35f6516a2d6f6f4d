// npm run docs: writes the pages that follow from code.
import { spawnSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { configurationPage } from "./configuration-page.ts";
import { referencePages } from "./reference-pages.ts";

const docs = path.join(import.meta.dirname, "..", "..", "docs");
const reference = path.join(docs, "reference");
const configuration = path.join(docs, "configuration.md");

await writeFile(configuration, configurationPage());
await rm(reference, { recursive: true, force: true }); // pages of types that are gone
for (const { file, text } of referencePages()) {
  const page = path.join(reference, file);
  await mkdir(path.dirname(page), { recursive: true });
  await writeFile(page, text);
}
spawnSync("oxfmt", [configuration, reference], { stdio: "inherit" });
