/**
 * Builds `dist/`, or the folder that is given: the whole CLI, server included, without sources or node_modules. The
 * folder can be copied anywhere.
 *
 * `rad.js` is the loader, `chunks/` has the program. It is not a single file because that would load every built-in
 * module and parse every dependency at each start: 72 ms as one file for `rad version --cli`, 28 ms in chunks, where an
 * empty script takes 23. Beside the chunks lies what V8 compiled when they ran for the first time, here; without that
 * `rad bicep build` of 300 lines takes 5.6 times as long as an empty script, with it 3.4 times. Chunks that are loaded
 * together lie in packs ([decision 0026](../../../docs/decisions/0026-requests-of-the-cli.md)).
 */
import { execFile, execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
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
const chunks = join(outdir, "chunks");
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

/** Commands that ask a control plane once, or twice. */
const requests = [
  ["group", "list"],
  ["group", "show", "dev", "-o", "json"],
  ["resource-type", "list"],
  ["resource", "list", "Contoso.Data/queues"],
  ["resource", "show", "Contoso.Data/queues", "a"],
  ["resource-provider", "list"],
  ["deployment", "list"],
  ["version"],
];

const supervisorSource = fileURLToPath(new URL("../terraform/src/runs/supervisor/supervisor-process.ts", packageRoot));

/**
 * Packages that users may replace, as the LGPL asks for: they lie in `node_modules` beside the chunks, and the loader
 * finds them there ([decision 0044](../../../docs/decisions/0044-terraform-releases-and-the-volume.md)). The parser of
 * Terraform modules is a WebAssembly program in a file
 * ([decision 0048](../../../docs/decisions/0048-modules-are-read-in-a-thread.md)).
 */
const packagesBeside = [
  { name: "openpgp", files: ["package.json", "LICENSE", "dist/node/openpgp.min.cjs"] },
  { name: "@cdktn/hcl2json", files: ["package.json", "LICENSE", "main.wasm.gz", "wasm/wasm_exec.js"] },
];

await buildChunks();
await buildSupervisor();
await copyPackages();
await buildHclThread();
await writeFile(join(outdir, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
await buildLoader({});
await runSamples(async (run, config) => {
  await packChunks(run, config);
  await fillCodeCache(run, config);
});
process.stdout.write(`${entry} ${Math.round((await sizeOf(outdir)) / 1024)} KiB\n`);

async function buildLoader(packs: Readonly<Record<string, readonly string[]>>): Promise<void> {
  await build({
    entryPoints: { rad: sourceFile("scripts/chunk-loader.ts") },
    outdir,
    platform: "node",
    target: "node24",
    format: "cjs",
    define: { RAD_PACKS: JSON.stringify(packs) },
    banner: { js: "#!/usr/bin/env -S node --disable-warning=ExperimentalWarning" },
    logLevel: "warning",
  });
  await chmod(entry, 0o755);
}

/** esbuild splits ES modules only, so the chunks are made as such and become functions for the loader afterwards. */
async function buildChunks(): Promise<void> {
  await rm(chunks, { recursive: true, force: true });
  await mkdir(chunks, { recursive: true });
  const { outputFiles } = await build({
    entryPoints: { main: sourceFile("src/main.ts") },
    outdir: chunks,
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node24",
    format: "esm",
    legalComments: "linked",
    external: ["pg-native", ...packagesBeside.map(({ name }) => name)],
    plugins: [withoutExecutableCommands],
    define: {
      // One constant each: esbuild makes a module of an object, which every other one then imports.
      RAD_VERSION: JSON.stringify(version),
      RAD_COMMIT: JSON.stringify(commit()),
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

/** A process of its own for each Terraform run: a file of its own, which loads nothing else. */
async function buildSupervisor(): Promise<void> {
  await build({
    entryPoints: { "terraform-supervisor": supervisorSource },
    outdir,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "cjs",
    logLevel: "warning",
  });
}

async function copyPackages(): Promise<void> {
  await rm(join(outdir, "node_modules"), { recursive: true, force: true });
  for (const { name, files } of packagesBeside) {
    for (const file of files) {
      const from = fileURLToPath(new URL(`../../node_modules/${name}/${file}`, packageRoot));
      await cp(from, join(outdir, "node_modules", name, file));
    }
  }
}

/** Threads are started from files, so this one is no chunk. */
async function buildHclThread(): Promise<void> {
  await build({
    entryPoints: { "terraform-hcl": sourceFile("../terraform/src/modules/hcl-worker.ts") },
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    logLevel: "warning",
  });
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
  return `(function(exports,require,module,__filename,__dirname){${withoutCopies(code)}})\n`;
}

/** A namespace that refers to a module does as well as one that copies its members, and costs next to nothing. */
function withoutCopies(code: string): string {
  return code
    .replace("module.exports=__toCommonJS(stdin_exports)", "module.exports=stdin_exports")
    .replaceAll(/__toESM\(require\(("\.\/[^"]+")\)\)/g, "require($1)") // chunks are ES modules already
    .replaceAll(/__toESM\(require\(("node:[^"]+")\)\)/g, "({__proto__:require($1),default:require($1)})");
}

/** Runs one command of the bundle, and keeps what V8 compiled for it. */
type RunSample = (...args: readonly string[]) => Promise<void>;

/** @param samples gets a configuration whose workspace leads to a server that answers */
async function runSamples(samples: (run: RunSample, config: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "rad-bundle-"));
  try {
    await using server = await startSampleServer();
    const config = join(folder, "config.yaml");
    await writeFile(config, server.configText);
    await samples(async (...args) => {
      const options = { cwd: folder };
      await promisify(execFile)(process.execPath, [sourceFile("scripts/fill-code-cache.ts"), entry, ...args], options);
    }, config);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Puts chunks that are loaded together into one file: V8 reads 25 of them one by one in 4 ms more. There is a pack for
 * what every start loads, and one for what requests to a control plane load besides.
 */
async function packChunks(run: RunSample, config: string): Promise<void> {
  await run("version", "--cli");
  const start = await chunksWithCode();
  for (const args of requests) {
    await run(...args, "--config", config);
  }
  const request = (await chunksWithCode()).filter((name) => !start.includes(name));
  const packs = { "pack-start.js": start, "pack-request.js": request };
  for (const [file, names] of Object.entries(packs)) {
    const members = names.map(async (name) => `${JSON.stringify(name)}:${await readFile(join(chunks, name), "utf8")}`);
    await writeFile(join(chunks, file), `({${(await Promise.all(members)).join(",")}})\n`);
    await Promise.all(names.flatMap((name) => [rm(join(chunks, name)), rm(join(chunks, `${name}.code`))]));
  }
  await buildLoader(packs);
}

/** Those that a command has loaded so far. */
async function chunksWithCode(): Promise<string[]> {
  const suffix = ".code";
  return (await readdir(chunks)).filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));
}

/** Runs commands that are used a lot or in a hurry. What each one compiles is added to what the others left. */
async function fillCodeCache(run: RunSample, config: string): Promise<void> {
  const sample = sourceFile("scripts/sample/app.bicep");
  for (const args of [
    ["version", "--cli"],
    ["--help"],
    ["workspace", "list", "--config", config],
    ...requests.map((args) => [...args, "--config", config]),
    ["bicep", "format", sample, "--stdout"],
    ["bicep", "build-params", sourceFile("scripts/sample/app.bicepparam"), "--outdir", "."],
    ["bicep", "build", sample, "--stdout"],
    ["bicep", "build", sample, "--outdir", "."],
  ]) {
    await run(...args);
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
