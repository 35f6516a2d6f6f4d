import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { moduleLayer, startRegistry } from "@rad/artifacts/testing";
import { startTestServer } from "@rad/client/testing";

const scripts = fileURLToPath(new URL("../scripts/", import.meta.url));
const build = ["bicep", "build", join(scripts, "sample", "app.bicep"), "--stdout", "--no-restore"];
let folder: string;
let rad: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "rad-bundle-test-"));
  rad = join(folder, "rad.js");
  execFileSync(process.execPath, [join(scripts, "bundle.ts"), folder], { stdio: "pipe" });
});

after(() => rmSync(folder, { recursive: true }));

test("the bundle comes with compiled code that V8 accepts", () => {
  const program = `
    const { loadedChunks } = require(${JSON.stringify(rad)});
    process.on("exit", () => {
      for (const [name, { script }] of loadedChunks) console.error(name, script.cachedDataRejected);
    });`;

  const { stdout, stderr, status } = spawnSync(process.execPath, ["-e", program, "rad", "bicep", "--help"], {
    encoding: "utf8",
  });

  assert.equal(status, 0);
  assert.match(stdout, /build-params/);
  const chunks = stderr.trimEnd().split("\n");
  assert.ok(chunks.length >= 3); // two packs, and what the command needs besides
  assert.deepEqual(
    chunks.filter((line) => !line.endsWith(" false")),
    [],
  );
});

test("the bundle answers as the sources do, with compiled code, with code that is useless, and with none", () => {
  const expected = answer(fileURLToPath(new URL("main.ts", import.meta.url)));

  const withCode = answer(rad);
  const files = compiledCode();
  files.forEach((file) => writeFileSync(file, "made by somebody else"));
  const withUselessCode = answer(rad);
  files.forEach((file) => rmSync(file));
  const withoutCode = answer(rad);

  assert.notEqual(expected.stdout, "");
  assert.ok(files.length > 3);
  assert.deepEqual(withCode, expected);
  assert.deepEqual(withUselessCode, expected);
  assert.deepEqual(withoutCode, expected);
  assert.deepEqual(compiledCode(), []); // running it writes nothing into its folder
});

test("a request to a control plane reads two packs, and no part of Node that it can do without", async () => {
  await using server = await startTestServer();
  const home = mkdtempSync(join(folder, "home-"));
  const env = { ...process.env, HOME: home, USERPROFILE: home };
  const run = promisify(execFile);
  await run(process.execPath, [rad, "workspace", "create", "server", "test", "--url", server.url], { env });
  const program = `
    const { loadedChunks } = require(${JSON.stringify(rad)});
    process.on("exit", () => {
      const report = { files: [...loadedChunks.keys()], builtIns: process.moduleLoadList };
      require("node:fs").writeSync(2, JSON.stringify(report));
    });`;

  const { stdout, stderr } = await run(process.execPath, ["-e", program, "rad", "group", "list"], { env });

  const { files, builtIns } = JSON.parse(stderr) as { files: string[]; builtIns: string[] };
  assert.equal(stdout, "GROUP     ID\n");
  assert.deepEqual(files, ["pack-start.js", "pack-request.js"]);
  assert.deepEqual(
    builtIns.filter((name) => /undici|webstreams|crypto|tls|https|http2|zlib|child_process|fs\/promises/.test(name)),
    [],
  );
});

test("the bundle has all that a download needs", async () => {
  await using registry = await startRegistry({ authentication: "bearer" });
  registry.publish("team/net", "v1", { mediaType: moduleLayer, content: Buffer.from(`{ "resources": [] }`) });
  const home = mkdtempSync(join(folder, "home-"));
  writeFileSync(join(home, "app.bicep"), `module m 'br:${registry.host}/team/net:v1' = {\n  name: 'm'\n}\n`);

  const run = promisify(execFile);
  const { stderr } = await run(process.execPath, [rad, "bicep", "restore", "app.bicep"], {
    cwd: home,
    env: { ...process.env, HOME: home, USERPROFILE: home },
  });

  assert.equal(stderr, `br:${registry.host}/team/net:v1 restored\n`);
});

function answer(program: string): { stdout: string; stderr: string; status: number | null } {
  const options = ["--disable-warning=ExperimentalWarning"];
  const { stdout, stderr, status } = spawnSync(process.execPath, [...options, program, ...build], { encoding: "utf8" });
  return { stdout, stderr, status };
}

function compiledCode(): readonly string[] {
  const chunks = join(folder, "chunks");
  return readdirSync(chunks)
    .filter((name) => name.endsWith(".code"))
    .map((name) => join(chunks, name));
}

test("a library under the LGPL is a package beside the bundle, not a part of it", () => {
  const program = `console.log(typeof require("node:module").createRequire(${JSON.stringify(rad)})("openpgp").readKeys)`;
  const chunks = join(folder, "chunks");
  const texts = readdirSync(chunks).map((name) => readFileSync(join(chunks, name), "latin1"));

  assert.equal(execFileSync(process.execPath, ["-e", program], { encoding: "utf8" }).trim(), "function");
  assert.equal(texts.filter((text) => text.includes("openpgpjs.org")).length, 0);
  assert.match(
    readFileSync(join(folder, "node_modules/openpgp/LICENSE"), "utf8"),
    /GNU LESSER GENERAL PUBLIC LICENSE/i,
  );
});

test("the thread that parses Terraform modules lies beside the chunks, with its program", async () => {
  const thread = new Worker(join(folder, "terraform-hcl.mjs"));
  thread.postMessage([{ name: "main.tf", text: 'variable "a" {}' }]);
  const [parsed] = (await once(thread, "message")) as [unknown];
  await thread.terminate();

  assert.deepEqual(parsed, [{ json: '{"variable":{"a":[{}]}}' }]);
});
