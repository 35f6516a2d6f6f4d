import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { copyFile, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { cachedTool } from "@rad/kubernetes/testing/tools";

const run = promisify(execFile);
const sources = path.join(import.meta.dirname, "..", "..", "..", "..", "..", "tools", "azurite");

/** The path of azurite's blob server, installed once by npm; the lock file in `tools/azurite` has the digest of every package. */
export async function installedAzurite(): Promise<string> {
  const lock = await readFile(path.join(sources, "package-lock.json"));
  const folder = await cachedTool({
    name: `azurite-${hash("sha256", lock).slice(0, 16)}`,
    make: async (into, report) => {
      report("Installing azurite, the blob server of the tests (once; 450 packages, 360 MB, about a minute)");
      for (const name of ["package.json", "package-lock.json"]) {
        await copyFile(path.join(sources, name), path.join(into, name));
      }
      await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], { cwd: into });
      report("Installed azurite");
    },
  });
  return path.join(folder, "node_modules", "azurite", "dist", "src", "blob", "main.js");
}
