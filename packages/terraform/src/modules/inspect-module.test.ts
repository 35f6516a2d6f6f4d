import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, it } from "node:test";
import { atOnce } from "@rad/core";
import { contentsOf, inspectModule } from "./inspect-module.ts";
import { locateModule } from "./locate-module.ts";
import type { ModuleContents } from "./module-contents.ts";
import { parametersOf } from "./parameters-of.ts";

let root = "";
let folders = 0;

before(async () => {
  root = await mkdtemp(path.join(tmpdir(), "rad-module-"));
});

after(async () => await rm(root, { recursive: true, force: true }));

/** A new folder with these files. */
async function folderOf(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  folders += 1;
  const folder = path.join(root, String(folders));
  await mkdir(folder);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return folder;
}

/** The contents of files in JSON syntax, which need no thread. */
function contentsOfJson(files: Readonly<Record<string, unknown>>): ModuleContents {
  return atOnce(
    contentsOf(
      Object.entries(files).map(([name, document]) => ({
        name,
        text: JSON.stringify(document),
        isJson: true,
        isOverride: name.includes("override"),
      })),
      [],
    ),
  );
}

it("variables, outputs and providers are read from both syntaxes, and a broken file is told without hiding the rest", async () => {
  const folder = await folderOf({
    "main.tf": [
      'variable "size" {',
      "  type = map(object({ n = number }))",
      '  description = "How $${large}"',
      "  default = { a = [1, null] }",
      "}",
      'variable "context" { type = any }',
      'output "result" { value = var.size }',
      'resource "aws_vpc" "main" {}',
    ].join("\n"),
    "more.tf.json": '{ "variable": { "password": { "type": "string", "sensitive": true, "default": "canary" } } }',
    "broken.tf": 'variable "x" {\n',
    "broken.tf.json": "{",
  });

  const contents = await inspectModule(folder);

  assert.deepEqual(contents.variables, [
    { name: "context", type: "any", required: true, sensitive: false, position: { file: "main.tf", line: 6 } },
    {
      name: "password",
      type: "string",
      default: "canary",
      required: false,
      sensitive: true,
      position: { file: "more.tf.json", line: 1 },
    },
    {
      name: "size",
      type: "map(object({ n = number }))",
      description: "How ${large}",
      default: { a: [1, null] },
      required: false,
      sensitive: false,
      position: { file: "main.tf", line: 1 },
    },
  ]);
  assert.deepEqual(contents.outputs, [{ name: "result", sensitive: false }]);
  assert.deepEqual(contents.requiredProviders, { aws: { configurationAliases: [] } });
  assert.deepEqual(
    contents.diagnostics.map(({ file }) => file),
    ["broken.tf", "broken.tf.json"],
  );
  assert.match(contents.diagnostics[0]?.message ?? "", /broken\.tf:1,14-15: Unclosed configuration block/u);
  assert.deepEqual(parametersOf(contents), {
    password: {
      name: "password",
      type: "string",
      required: false,
      sensitive: true,
      pos: { filename: "more.tf.json", line: 1 },
    },
    size: {
      name: "size",
      type: "map(object({ n = number }))",
      description: "How ${large}",
      defaultValue: { a: [1, null] },
      required: false,
      sensitive: false,
      pos: { filename: "main.tf", line: 1 },
    },
  });
});

it("a file that is nested too deeply for the parser is refused, and ends only its thread", async () => {
  const folder = await folderOf({ "main.tf": `variable "x" { default = ${"[".repeat(50_000)}${"]".repeat(50_000)} }` });
  await assert.rejects(inspectModule(folder), { code: "ModuleUnreadable" });
});

it("an override file changes the attributes that it has", () => {
  const { variables, outputs, requiredProviders, diagnostics } = contentsOfJson({
    "main.tf.json": {
      variable: { a: { type: "string", description: "d", default: "x", sensitive: true } },
      output: { o: { value: 1, sensitive: true } },
      terraform: { required_providers: { aws: { source: "hashicorp/aws", version: "4" } } },
    },
    "a_override.tf.json": {
      variable: { a: { description: "other" } },
      output: { o: { value: 2 } },
      terraform: { required_providers: { aws: { source: "hashicorp/aws", version: "5" } } },
    },
    "override.tf.json": { variable: { a: { default: null, sensitive: false } } },
  });
  const position = { file: "main.tf.json", line: 1 };
  assert.deepEqual(variables, [
    { name: "a", type: "string", description: "other", default: null, required: false, sensitive: false, position },
  ]);
  assert.deepEqual(outputs, [{ name: "o", sensitive: true }]);
  assert.deepEqual(requiredProviders, { aws: { source: "hashicorp/aws", version: "5", configurationAliases: [] } });
  assert.deepEqual(diagnostics, []);
});

it("declarations that Terraform refuses are told with their file", () => {
  const { diagnostics } = contentsOfJson({
    "a.tf.json": {
      variable: { a: {} },
      terraform: { required_providers: { aws: { source: "hashicorp/aws" }, x: ["5"] } },
    },
    "b.tf.json": { variable: { a: {} }, terraform: { required_providers: { aws: { source: "example/aws" } } } },
    "override.tf.json": { output: { o: {} } },
  });
  assert.deepEqual(diagnostics, [
    { file: "a.tf.json", message: "The requirement of the provider 'x' is neither a version nor an object." },
    { file: "b.tf.json", message: 'The variable "a" is declared twice.' },
    { file: "b.tf.json", message: "The provider 'aws' has two sources, 'hashicorp/aws' and 'example/aws'." },
    { file: "override.tf.json", message: 'There is no output "o" to override.' },
  ]);
});

it("a JSON file that is nested too deeply, or is none, is told without its text", () => {
  const file = { name: "main.tf.json", isJson: true, isOverride: false };
  const deep = `{ "variable": ${"[".repeat(100_000)}${"]".repeat(100_000)} }`;
  assert.deepEqual(atOnce(contentsOf([{ ...file, text: deep }], [])).diagnostics, [
    { file: "main.tf.json", message: "The file is nested more than 200 levels deep." },
  ]);
  const [diagnostic] = atOnce(contentsOf([{ ...file, text: '{\n  "a": canary }' }], [])).diagnostics;
  assert.match(diagnostic?.message ?? "", /^The file is not JSON/u);
  assert.doesNotMatch(diagnostic?.message ?? "", /canary/u);
});

it("many declarations in one file take time in proportion to their number", () => {
  const labels = Array.from({ length: 20_000 }, (_, n) => `v${n}`);
  const file = { name: "main.tf", isJson: false, isOverride: false };
  const text = labels.map((label) => `variable "${label}" {}`).join("\n");
  const json = JSON.stringify({ variable: Object.fromEntries(labels.map((label) => [label, [{}]])) });

  const { variables } = atOnce(contentsOf([{ ...file, text }], [{ json }]));

  assert.equal(variables.length, 20_000);
  assert.equal(variables.find(({ name }) => name === "v19999")?.position.line, 20_000);
});

it("a large module leaves the thread to others, and one of nothing but declarations is refused", () => {
  const file = { name: "main.tf.json", isJson: true, isOverride: false };
  const text = (blocks: number) =>
    `{ "variable": { ${Array.from({ length: blocks }, (_, n) => `"v${n}": {}`).join(",")} } }`;
  const work = contentsOf([{ ...file, text: text(40_000) }], []);
  let pauses = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) {
    pauses += 1;
  }
  assert.equal(step.value.variables.length, 40_000);
  assert.ok(pauses > 0);
  assert.throws(() => atOnce(contentsOf([{ ...file, text: text(50_001) }], [])), { code: "ModuleTooLarge" });
});

it("what is more than a name is not taken for one", () => {
  const name = '${file("/etc/passwd")}';
  const { variables, outputs, requiredProviders, diagnostics } = contentsOfJson({
    "main.tf.json": {
      variable: { [name]: {}, "größe-1_": {} },
      output: { [name]: {}, "a.b": {}, "1a": {}, "": {} },
      provider: { [name]: {} },
      resource: { [name]: { x: {} } },
      terraform: { required_providers: { [name]: "1", aws: { configuration_aliases: ["aws.east", `aws.${name}`] } } },
    },
  });
  assert.deepEqual(
    variables.map((variable) => variable.name),
    ["größe-1_"],
  );
  assert.deepEqual(outputs, []);
  assert.deepEqual(requiredProviders, { aws: { configurationAliases: ["aws.east"] } });
  assert.equal(diagnostics.length, 7);
  assert.equal(diagnostics[2]?.message, '"a.b" is not a name that Terraform accepts.');
});

it("names that objects have by themselves are names like others", () => {
  const { variables, requiredProviders } = atOnce(
    contentsOf(
      [
        {
          name: "main.tf.json",
          text: '{ "variable": { "__proto__": { "default": { "__proto__": 1 } }, "constructor": {} }, "provider": { "toString": {} } }',
          isJson: true,
          isOverride: false,
        },
      ],
      [],
    ),
  );
  assert.deepEqual(
    variables.map(({ name }) => name),
    ["__proto__", "constructor"],
  );
  assert.equal(JSON.stringify(variables[0]?.default), '{"__proto__":1}');
  assert.deepEqual(Object.keys(requiredProviders), ["toString"]);
});

it("a link that leads out of the module is refused, and one that stays is followed", async () => {
  const outside = await folderOf({ "secret.tf.json": '{ "variable": { "canary": {} } }' });
  const folder = await folderOf({ "sub/main.tf.json": '{ "variable": { "a": {} } }', "shared.json": "{}" });
  const sub = path.join(folder, "sub");
  await symlink("../shared.json", path.join(sub, "shared.tf.json"));
  await symlink("nowhere", path.join(sub, "gone.tf.json"));

  await assert.rejects(inspectModule(sub), { code: "ModuleOutsideFolder" });
  const contents = await inspectModule(sub, { within: folder });
  assert.deepEqual(contents.diagnostics, [{ file: "gone.tf.json", message: "The link leads nowhere." }]);
  assert.equal(contents.variables[0]?.name, "a");

  await symlink(path.join(outside, "secret.tf.json"), path.join(sub, "x.tf.json"));
  await assert.rejects(inspectModule(sub, { within: folder }), (error: Error) => {
    assert.match(error.message, /^'x\.tf\.json' leads out/u);
    return "code" in error && error.code === "ModuleOutsideFolder";
  });
});

it("pipes, sockets and folders with the name of a file are not waited for", async () => {
  const folder = await folderOf({ "a.tf.json": "{}", "x/y": "" });
  execFileSync("mkfifo", [path.join(folder, "pipe.tf")]);
  await symlink("x", path.join(folder, "link.tf"));
  const socket = createServer().listen(path.join(folder, "socket.tf"));
  await once(socket, "listening");

  const { diagnostics } = await inspectModule(folder);
  socket.close();

  assert.deepEqual(diagnostics, [
    { file: "link.tf", message: "This is not a file." },
    { file: "pipe.tf", message: "This is not a file." },
    { file: "socket.tf", message: "The file cannot be read." },
  ]);
});

it("modules that are too large, have no configuration or are not there are refused", async () => {
  const large = await folderOf({ "main.tf": Buffer.alloc((1 << 20) + 1, 0x20) });
  const many = await folderOf(
    Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`${n}.tf`, Buffer.alloc(1 << 20)])),
  );
  const none = await folderOf({ "README.md": "", "sub/main.tf": "" });
  await assert.rejects(inspectModule(large), { code: "ModuleTooLarge" });
  await assert.rejects(inspectModule(many), { code: "ModuleTooLarge" });
  await assert.rejects(inspectModule(none), { code: "ModuleWithoutConfiguration" });
  await assert.rejects(inspectModule(path.join(root, "none")), { code: "ModuleNotFound" });
});

it("a module is found by its key, in the folder that Terraform recorded", async () => {
  const work = await workingFolder([
    { Key: "", Source: "", Dir: "." },
    { Key: "redis", Source: "registry/a/b/c", Dir: ".terraform/modules/redis/modules/cache" },
    { Key: "redis.inner", Source: "./inner", Dir: ".terraform/modules/redis/modules/cache/inner" },
  ]);
  const within = path.join(work, ".terraform/modules/redis");
  assert.deepEqual(await locateModule(work, "redis"), { folder: path.join(within, "modules/cache"), within });
});

for (const [what, records, code] of [
  ["a parent folder", [{ Key: "redis", Dir: "../.." }], "ModuleOutsideFolder"],
  ["an absolute path", [{ Key: "redis", Dir: "/etc" }], "ModuleOutsideFolder"],
  ["a link to another place", [{ Key: "redis", Dir: ".terraform/modules/away" }], "ModuleOutsideFolder"],
  ["a folder that is not there", [{ Key: "redis", Dir: ".terraform/modules/none" }], "ModuleNotFound"],
  ["no record", [{ Key: "other", Dir: "." }], "ModuleNotFound"],
  ["a record without a folder", [{ Key: "redis", Dir: "" }], "ModuleNotFound"],
  ["records that are none", "x", "ModuleNotFound"],
] as const) {
  it(`a module is not looked for elsewhere: ${what}`, async () => {
    const work = await workingFolder(records);
    await assert.rejects(locateModule(work, "redis"), { code });
  });
}

it("a working folder without downloaded modules, or with a broken record of them, says so", async () => {
  await assert.rejects(locateModule(await folderOf({}), "redis"), { code: "ModuleNotFound" });
  const broken = await folderOf({ ".terraform/modules/modules.json": "{" });
  await assert.rejects(locateModule(broken, "redis"), { code: "ModuleUnreadable" });
});

async function workingFolder(records: unknown): Promise<string> {
  const work = await folderOf({
    ".terraform/modules/modules.json": JSON.stringify({ Modules: records }),
    ".terraform/modules/redis/modules/cache/main.tf": "",
  });
  await symlink("/etc", path.join(work, ".terraform/modules/away"));
  return work;
}
