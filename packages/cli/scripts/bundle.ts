/**
 * Builds `dist/rad.js` with `dist/chunks/`: the whole CLI, server included, without sources or node_modules. The folder
 * can be copied anywhere. It is not a single file because that would import every built-in module and parse every
 * dependency at each start: 72 ms as one file for `rad version --cli`, 28 ms in chunks, where an empty script takes 23.
 */
import { execFileSync } from "node:child_process";
import { chmod, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const packageRoot = new URL("../", import.meta.url);
const outdir = fileURLToPath(new URL("dist/", packageRoot));
const { version } = JSON.parse(await readFile(new URL("package.json", packageRoot), "utf8")) as { version: string };

await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: { rad: fileURLToPath(new URL("src/main.ts", packageRoot)) },
  outdir,
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  platform: "node",
  target: "node24",
  format: "esm",
  minify: true,
  keepNames: true, // error names are looked at
  legalComments: "linked",
  external: ["pg-native"],
  define: { RAD_BUILD: JSON.stringify({ release: "edge", version, commit: commit() }) },
  banner: {
    js: [
      // CommonJS packages inside expect these three.
      'import { createRequire as __createRequire } from "node:module";',
      "const require = __createRequire(import.meta.url);",
      "const __filename = import.meta.filename, __dirname = import.meta.dirname;",
    ].join("\n"),
  },
  logLevel: "warning",
});
await writeFile(join(outdir, "package.json"), `${JSON.stringify({ type: "module" })}\n`);
const entry = join(outdir, "rad.js");
const shebang = "#!/usr/bin/env -S node --disable-warning=ExperimentalWarning\n";
await writeFile(entry, shebang + (await readFile(entry, "utf8")));
await chmod(entry, 0o755);
process.stdout.write(`${entry} ${Math.round((await sizeOf(outdir)) / 1024)} KiB\n`);

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name)));
  return (await Promise.all(files)).reduce((total, file) => total + file.size, 0);
}

function commit(): string {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      cwd: packageRoot,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "unknown"; // built from an archive
  }
}
