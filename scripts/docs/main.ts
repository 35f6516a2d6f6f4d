// npm run docs: writes the pages that follow from code.
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { configurationPage } from "./configuration-page.ts";

const file = path.join(import.meta.dirname, "..", "..", "docs", "configuration.md");
await writeFile(file, configurationPage());
spawnSync("oxfmt", [file], { stdio: "inherit" });
