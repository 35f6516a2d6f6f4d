/**
 * Builds `dist/`, or the folder that is given: the whole CLI, server included, without sources or node_modules. The
 * folder can be copied anywhere.
 *
 * `rad.js` is the loader, `chunks/` has the program. It is not a single file because that would load every built-in
 * module and parse every dependency at each start: 72 ms as one file for `rad version --cli`, 28 ms in chunks, where an
 * empty script takes 23. Beside the chunks lies what V8 compiled when they ran for the first time, here; without that
 * `rad bicep build` of 300 lines takes 5.6 times as long as an empty script, with it 3.4 times.
 */
import { execFile, execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { builtInTypes } from "@rad/radius-types";
import { build, type Plugin, transform } from "esbuild";
import { startSampleServer } from "./sample/server.ts";

const packageRoot = new URL("../", import.meta.url);
const outdir = resolve(process.argv[2] ?? sourceFile("dist"));
const entry = join(outdir, "rad.js");
const { version } = JSON.parse(await readFile(new URL("package.json", packageRoot), "utf8")) as { version: string };

/** Commander starts commands that are programs of their own, which we have none of: `node:child_process` takes 2 ms. */
const withoutExecutableCommands: Plugin = {
  name: "without-executable-commands",
  setup: (bundle) => {
    bundle.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes("/node_modules/commander/") ? { path: "none", namespace: "child-process" } : undefined,
    );
    bundle.onLoad({ filter: /^none$/, namespace: "child-process" }, () => ({ contents: "export default {};" }));
  },
};

await buildLoader();
await buildChunks();
await writeFile(join(outdir, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
await fillCodeCache();
process.stdout.write(`${entry} ${Math.round((await sizeOf(outdir)) / 1024)} KiB\n`);

async function buildLoader(): Promise<void> {
  await build({
    entryPoints: { rad: sourceFile("scripts/chunk-loader.ts") },
    outdir,
    platform: "node",
    target: "node24",
    format: "cjs",
    banner: { js: "#!/usr/bin/env -S node --disable-warning=ExperimentalWarning" },
    logLevel: "warning",
  });
  await chmod(entry, 0o755);
}

/** esbuild splits ES modules only, so the chunks are made as such and become functions for the loader afterwards. */
async function buildChunks(): Promise<void> {
  const folder = join(outdir, "chunks");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const { outputFiles } = await build({
    entryPoints: { main: sourceFile("src/main.ts") },
    outdir: folder,
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node24",
    format: "esm",
    legalComments: "linked",
    external: ["pg-native"],
    plugins: [withoutExecutableCommands],
    define: {
      RAD_BUILD: JSON.stringify({ release: "edge", version, commit: commit() }),
      RAD_TYPES_DIGEST: JSON.stringify(hash("sha256", JSON.stringify([version, commit(), builtInTypes]), "hex")),
      "import.meta.url": "module.url",
      "import.meta.filename": "__filename",
      "import.meta.dirname": "__dirname",
    },
    logLevel: "warning",
    write: false,
  });
  for (const { path, text } of outputFiles) {
    await writeFile(path, path.endsWith(".js") ? await asFunction(text) : text);
  }
}

async function asFunction(chunk: string): Promise<string> {
  const { code, warnings } = await transform(chunk, {
    format: "cjs",
    platform: "node",
    target: "node24",
    minifySyntax: true,
    minifyWhitespace: true, // identifiers stay: the names of errors and functions are looked at
    supported: { "dynamic-import": false }, // chunks are loaded by the loader, always
  });
  if (warnings.length > 0) {
    throw new Error(warnings.map((warning) => warning.text).join("\n"));
  }
  return `(function(exports,require,module,__filename,__dirname){${code}})\n`;
}

/** Runs commands that are used a lot or in a hurry. What each one compiles is added to what the others left. */
async function fillCodeCache(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "rad-bundle-"));
  try {
    await using server = await startSampleServer();
    const config = join(folder, "config.yaml");
    await writeFile(config, server.configText);
    const run = promisify(execFile);
    const sample = sourceFile("scripts/sample/app.bicep");
    for (const args of [
      ["version", "--cli"],
      ["--help"],
      ["workspace", "list", "--config", config],
      ["group", "list", "--config", config],
      ["group", "show", "dev", "--config", config, "-o", "json"],
      ["resource-type", "list", "--config", config],
      ["resource", "list", "Contoso.Data/queues", "--config", config],
      ["deployment", "list", "--config", config],
      ["bicep", "format", sample, "--stdout"],
      ["bicep", "build-params", sourceFile("scripts/sample/app.bicepparam"), "--outdir", folder],
      ["bicep", "build", sample, "--stdout"],
      ["bicep", "build", sample, "--outdir", folder],
    ]) {
      await run(process.execPath, [sourceFile("scripts/fill-code-cache.ts"), entry, ...args]);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

function sourceFile(path: string): string {
  return fileURLToPath(new URL(path, packageRoot));
}

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
