import assert from "node:assert/strict";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { runCli } from "../run-cli.ts";
import { createSandbox } from "../testing/sandbox.ts";
import type { Sandbox } from "../testing/sandbox.ts";

async function sandboxWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<Sandbox> {
  const sandbox = await createSandbox();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(sandbox.home, name, ".."), { recursive: true });
    await writeFile(join(sandbox.home, name), content);
  }
  return sandbox;
}

const good = "param a string\noutput b string = a\n";
const bad = "var unused = 1\noutput b string = nobody\n";

test("build writes the template beside the file, or where it is told, or to stdout", async () => {
  await using sandbox = await sandboxWith({ "src/app.bicep": good });

  const beside = await sandbox.rad(["bicep", "build", "src/app.bicep"]);
  await sandbox.rad(["bicep", "build", "src/app.bicep", "--outfile", "out.json"]);
  await sandbox.rad(["bicep", "build", "src/app.bicep", "--outdir", "dist/deep"]);
  const { stdout } = await sandbox.rad(["bicep", "build", "src/app.bicep", "--stdout"]);

  assert.deepEqual(beside, { code: 0, stdout: "", stderr: "" });
  for (const name of ["src/app.json", "out.json", "dist/deep/app.json"]) {
    assert.equal(`${await readFile(join(sandbox.home, name), "utf8")}\n`, stdout);
  }
  assert.equal(JSON.parse(stdout).outputs.b.value, "[parameters('a')]");
});

test("the generator's version can be set from outside, and the hash covers it", async () => {
  await using sandbox = await sandboxWith({ "app.bicep": good });
  const generator = async (env: Readonly<Record<string, string>>) => {
    const { stdout } = await sandbox.rad(["bicep", "build", "app.bicep", "--stdout"], { env });
    return JSON.parse(stdout).metadata._generator;
  };

  const own = await generator({});
  const set = await generator({ RAD_BICEP_GENERATOR_VERSION: "9.9" });

  assert.equal(own.name, "bicep");
  assert.equal(set.version, "9.9");
  assert.notEqual(own.templateHash, set.templateHash);
});

test("with errors there are diagnostics on stderr, exit code 1, and no output; an old file stays as it was", async () => {
  await using sandbox = await sandboxWith({ "app.bicep": bad, "app.json": "old" });

  const build = await sandbox.rad(["bicep", "build", "app.bicep"]);
  const stdout = await sandbox.rad(["bicep", "build", "app.bicep", "--stdout"]);

  const path = join(sandbox.home, "app.bicep");
  const lines = build.stderr.trimEnd().split("\n");
  assert.equal(build.code, 1);
  assert.equal(lines.length, 3);
  assert.ok(lines[0]?.startsWith(`${path}(1,5) : Warning no-unused-vars: `));
  assert.ok(lines[1]?.startsWith(`${path}(2,19) : Error BCP057: `));
  assert.equal(lines[2], "1 error, 1 warning");
  assert.equal(await readFile(join(sandbox.home, "app.json"), "utf8"), "old");
  assert.deepEqual(stdout, { ...build, stdout: "" });
});

test("diagnostics of modules are told too, after those of the file", async () => {
  await using sandbox = await sandboxWith({
    "app.bicep": "module m 'sub/m.bicep' = {\n  name: 'm'\n}\n",
    "sub/m.bicep": bad,
  });

  const { stderr } = await sandbox.rad(["bicep", "lint", "app.bicep"]);

  assert.match(
    stderr,
    /^.*app\.bicep\(1,10\) : Error BCP104: .*\n.*m\.bicep\(1,5\) : Warning .*\n.*m\.bicep\(2,19\) : Error BCP057: .*\n2 errors, 1 warning\n$/u,
  );
});

test("at a terminal each diagnostic shows its line with a caret", async () => {
  await using sandbox = await sandboxWith({ "app.bicep": "output b string =\tnobody\n" });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const stdout = new PassThrough();
  const { home } = sandbox;

  const signal = new AbortController().signal;
  const env = { NO_COLOR: "1" };
  await runCli(["bicep", "build", "app.bicep"], {
    env,
    cwd: home,
    home,
    stdin: new PassThrough(),
    stdout,
    stderr,
    signal,
  });

  const lines = String(stderr.read()).split("\n");
  assert.match(lines[0] ?? "", /\(1,19\) : Error BCP057: .* \[https:\/\/aka\.ms\/bicep\/core-diagnostics#BCP057\]$/u);
  assert.equal(lines[1], "1 | output b string =    nobody");
  assert.equal(lines[2], `${" ".repeat(25)}^^^^^^`);
});

test("file names and source text cannot smuggle control sequences to the terminal", async () => {
  await using sandbox = await sandboxWith({ "app.bicep": "output b string = loadTextContent('\\u{1b}[2Jx')\n" });

  const { stderr } = await sandbox.rad(["bicep", "build", "app.bicep"]);

  assert.equal(stderr.includes("\u001b"), false);
  assert.deepEqual(stderr.trimEnd().split("\n").slice(1), ["1 error"]);
});

test("sarif is one JSON document on stderr", async () => {
  await using sandbox = await sandboxWith({ "app.bicep": bad });

  const { code, stderr } = await sandbox.rad(["bicep", "lint", "app.bicep", "--diagnostics-format", "sarif"]);

  assert.equal(code, 1);
  const [warning, error] = JSON.parse(stderr).runs[0].results;
  assert.deepEqual(JSON.parse(stderr).runs[0].tool.driver.rules, [
    { id: "no-unused-vars", helpUri: "https://aka.ms/bicep/linter-diagnostics#no-unused-vars" },
    { id: "BCP057", helpUri: "https://aka.ms/bicep/core-diagnostics#BCP057" },
  ]);
  assert.equal(warning.level, "warning");
  assert.equal(error.ruleId, "BCP057");
  assert.deepEqual(error.locations[0].physicalLocation.region, {
    startLine: 2,
    startColumn: 19,
    endLine: 2,
    endColumn: 25,
  });
});

test("with -o json every command prints one document, with errors and without", async () => {
  await using sandbox = await sandboxWith({
    "bad.bicep": bad,
    "good.bicep": good,
    "good.bicepparam": "using 'good.bicep'\nparam a = 'x'\n",
    "untidy.bicep": "param   a string\noutput b string = a\n",
  });
  const json = async (...args: readonly string[]) => {
    const { code, stdout } = await sandbox.rad(["bicep", ...args, "-o", "json"]);
    return { code, document: JSON.parse(stdout) };
  };
  const file = (name: string) => join(sandbox.home, name);
  const { document: error } = await json("build", "bad.bicep");

  assert.deepEqual(await json("lint", "good.bicep"), { code: 0, document: { diagnostics: [] } });
  const lint = await json("lint", "bad.bicep");
  assert.equal(lint.code, 1);
  assert.deepEqual(
    lint.document.diagnostics.map((one: object) => ({ ...one, message: "" })),
    [
      { file: file("bad.bicep"), line: 1, column: 5, level: "warning", code: "no-unused-vars", message: "" },
      { file: file("bad.bicep"), line: 2, column: 19, level: "error", code: "BCP057", message: "" },
    ],
  );
  assert.equal(error.error.code, "CompilationFailed");
  assert.equal(error.error.details[0].target, `${file("bad.bicep")}(2,19)`);
  assert.deepEqual((await json("build", "good.bicep")).document, { target: file("good.json") });
  assert.deepEqual((await json("build-params", "good.bicepparam")).document, { target: file("good.json") });
  assert.deepEqual((await json("restore", "good.bicep")).document, []);
  assert.deepEqual(await json("format", ".", "--check"), { code: 1, document: { notFormatted: ["untidy.bicep"] } });
  assert.deepEqual(await json("format", "."), { code: 0, document: { formatted: ["untidy.bicep"] } });
});

test("build-params evaluates values; stdout carries the template along", async () => {
  await using sandbox = await sandboxWith({
    "app.bicep": good,
    "app.bicepparam": "using 'app.bicep'\nparam a = toUpper(readEnvironmentVariable('WHO'))\n",
  });
  const env = { WHO: "ann" };

  const file = await sandbox.rad(["bicep", "build-params", "app.bicepparam", "--outfile", "p.json"], { env });
  const { stdout } = await sandbox.rad(["bicep", "build-params", "app.bicepparam", "--stdout"], { env });
  const missing = await sandbox.rad(["bicep", "build-params", "app.bicepparam"]);

  assert.deepEqual(file, { code: 0, stdout: "", stderr: "" });
  const text = await readFile(join(sandbox.home, "p.json"), "utf8");
  assert.deepEqual(JSON.parse(text).parameters, { a: { value: "ANN" } });
  assert.equal(JSON.parse(stdout).parametersJson, text);
  assert.equal(JSON.parse(JSON.parse(stdout).templateJson).parameters.a.type, "string");
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /BCP427/u);
});

test("the number of diagnostics comes last, and nowhere when there are none", async () => {
  await using sandbox = await sandboxWith({
    "good.bicep": good,
    "warned.bicep": "var a = 1\nvar b = 2\n",
    "bad.bicepparam": "using none\nparam a = nobody\n",
    "bicepconfig.json": `{ "analyzers": { "core": { "rules": { "no-unused-params": { "level": "info" } } } } }`,
    "told.bicep": "param a string\n",
  });
  const lastLine = async (...args: readonly string[]) =>
    (await sandbox.rad(["bicep", ...args])).stderr.split("\n").at(-2);

  assert.equal(await lastLine("build", "good.bicep"), undefined);
  assert.equal(await lastLine("build", "warned.bicep", "--stdout"), "2 warnings");
  assert.equal(await lastLine("build-params", "bad.bicepparam"), "1 error");
  assert.equal(await lastLine("lint", "told.bicep"), "1 message");
});

test("an unknown linter rule in the configuration is a warning with a suggestion", async () => {
  await using sandbox = await sandboxWith({
    "app.bicep": good,
    "bicepconfig.json": `{ "analyzers": { "core": { "rules": { "no-unusd-vars": { "level": "error" } } } } }`,
  });

  const { code, stderr } = await sandbox.rad(["bicep", "build", "app.bicep", "--stdout"]);

  assert.equal(code, 0);
  assert.match(
    stderr,
    /app\.bicep\(1,1\) : Warning unknown-linter-rule: .*"no-unusd-vars".*"no-unused-vars"\?\n1 warning\n$/u,
  );
});

for (const name of ["download", "delete"]) {
  test(`upstream's \`rad bicep ${name}\` is accepted and says that it is not needed`, async () => {
    await using sandbox = await sandboxWith({});

    const { code, stdout, stderr } = await sandbox.rad(["bicep", name]);

    assert.deepEqual([code, stdout], [0, ""]);
    assert.match(stderr, /part of rad/u);
    assert.deepEqual(await readdir(sandbox.home), []);
  });
}

test("format lays out in place or to stdout, as the configuration says, and leaves a tidy file alone", async () => {
  await using sandbox = await sandboxWith({
    "app.bicep": "var  a={b:1}\n",
    "tidy.bicep": "var a = 1\n",
    "bicepconfig.json": `{ "formatting": { "insertFinalNewline": false } }`,
  });
  const before = await stat(join(sandbox.home, "tidy.bicep"));
  await writeFile(join(sandbox.home, "sub.txt"), "");

  const { stdout } = await sandbox.rad(["bicep", "format", "app.bicep", "--stdout"]);
  await sandbox.rad(["bicep", "format", "app.bicep"]);
  await sandbox.rad(["bicep", "format", "tidy.bicep"]);

  assert.equal(stdout.endsWith("\n"), false);
  assert.equal(await readFile(join(sandbox.home, "app.bicep"), "utf8"), stdout);
  assert.match(stdout, /^var a = \{/u);
  assert.equal(await readFile(join(sandbox.home, "tidy.bicep"), "utf8"), "var a = 1");
  assert.equal(before.mode, (await stat(join(sandbox.home, "tidy.bicep"))).mode);
});

test("a file that is not UTF-8 is not laid out, since that would lose its bytes", async () => {
  const bytes = new Uint8Array([...Buffer.from("// caf"), 0xe9, 0x0a]);
  await using sandbox = await sandboxWith({ "app.bicep": bytes });

  const { code, stderr } = await sandbox.rad(["bicep", "format", "app.bicep"]);

  assert.equal(code, 1);
  assert.match(stderr, /Code: {2}InvalidEncoding/u);
  assert.deepEqual(new Uint8Array(await readFile(join(sandbox.home, "app.bicep"))), bytes);
});

test("--root keeps a build inside of a folder; without it a file may use its neighbours", async () => {
  await using sandbox = await sandboxWith({
    "app/app.bicep": "module m '../shared/m.bicep' = {\n  name: 'm'\n}\n",
    "app/link.bicep": "output a string = loadTextContent('secret.txt')\n",
    "shared/m.bicep": "",
    "secret.txt": "secret",
  });
  await symlink("../secret.txt", join(sandbox.home, "app/secret.txt"));

  const free = await sandbox.rad(["bicep", "build", "app/app.bicep", "--stdout"]);
  const confined = await sandbox.rad(["bicep", "build", "app/app.bicep", "--stdout", "--root", "app"]);
  const link = await sandbox.rad(["bicep", "build", "app/link.bicep", "--stdout", "--root", "app"]);

  assert.equal(free.code, 0);
  assert.match(confined.stderr, /\(1,10\) : Error BCP091: /u);
  assert.match(link.stderr, /\(1,35\) : Error BCP091: /u);
  assert.equal(link.stdout, "");
});

test("YAML is read when a file loads it", async () => {
  await using sandbox = await sandboxWith({
    "app.bicep": "var y = loadYamlContent('a.yaml')\noutput n int = y.n\noutput l array = y.list\n",
    "a.yaml": "n: 9007199254740993\nlist:\n- true\n- null\n- x\n",
    "broken.bicep": "output y object = loadYamlContent('broken.yaml')\n",
    "broken.yaml": "a: [\n",
    "bomb.bicep": "output y object = loadYamlContent('bomb.yaml')\n",
    "bomb.yaml": `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n`,
  });

  const { code, stdout, stderr } = await sandbox.rad(["bicep", "build", "app.bicep", "--stdout"]);
  const broken = await sandbox.rad(["bicep", "build", "broken.bicep"]);
  const bomb = await sandbox.rad(["bicep", "build", "bomb.bicep"]);

  assert.equal(code, 0, stderr);
  assert.match(stdout, /9007199254740993/u);
  assert.match(broken.stderr, /\(1,35\) : Error BCP340: /u);
  assert.match(bomb.stderr, /\(1,35\) : Error BCP340: /u);
});

for (const [name, args, pattern] of [
  ["a missing file", ["build", "nobody.bicep"], /nobody\.bicep\(1,1\) : Error BCP091: /u],
  ["a folder", ["build", "."], /\(1,1\) : Error BCP275: /u],
  ["a parameters file to build", ["build", "app.bicepparam"], /Code: {2}InvalidUsage/u],
  ["a template to build-params", ["build-params", "app.bicep"], /Code: {2}InvalidUsage/u],
  ["two places for the result", ["build", "app.bicep", "--stdout", "--outfile", "x"], /Code: {2}InvalidUsage/u],
  ["an unknown form of diagnostics", ["lint", "app.bicep", "--diagnostics-format", "xml"], /Code: {2}InvalidUsage/u],
  ["a missing file to format", ["format", "nobody.bicep"], /^nobody\.bicep does not exist\.\nCode: {2}FileUnreadable/u],
  [
    "a missing file to restore",
    ["restore", "nobody.bicep"],
    /^nobody\.bicep does not exist\.\nCode: {2}FileUnreadable/u,
  ],
  [
    "a result that cannot be written",
    ["build", "app.bicep", "--outfile", "app.bicep/x.json"],
    /Code: {2}FileUnwritable/u,
  ],
] as const) {
  test(`${name} ends with exit code 1 and says so`, async () => {
    await using sandbox = await sandboxWith({ "app.bicep": good });

    const { code, stderr } = await sandbox.rad(["bicep", ...args]);

    assert.equal(code, 1);
    assert.match(stderr, pattern);
    assert.deepEqual((await readdir(sandbox.home)).sort(), ["app.bicep"]);
  });
}

const deep = (open: string, close: string) => `var a = ${open.repeat(10_000)}1${close.repeat(10_000)}\n`;
const doubling = Array.from({ length: 39 }, (_, at) => `var v${at + 1} = concat(v${at}, v${at})\n`).join("");

for (const [what, source, place] of [
  ["10 MB of comment", "// ".repeat(3_500_000), /app\.bicep\(1,1\) : Error BCP091: /u],
  ["10 MB of statements", "param p string = 'x'\n".repeat(500_000), /app\.bicep\(1,1\) : Error BCP091: /u],
  ["NUL", "var a = \0\n", /app\.bicep\(1,9\) : Error BCP001: /u],
  ["bytes that are no UTF-8", new Uint8Array([0x76, 0xff, 0xfe, 0x0a]), /app\.bicep\(1,1\) : Error BCP007: /u],
  ["lists 10,000 deep", deep("[", "]"), /app\.bicep\(1,\d+\) : Error [\w-]+: /u],
  ["objects 10,000 deep", deep("{a:", "}"), /app\.bicep\(1,\d+\) : Error [\w-]+: /u],
  ["texts 10,000 deep", deep("'${", "}'"), /app\.bicep\(1,\d+\) : Error [\w-]+: /u],
  ["a comment without an end", "var a = 1 /* no end", /app\.bicep\(1,11\) : Error BCP002: /u],
  ["a text without an end", "var a = 'no end\n", /app\.bicep\(1,9\) : Error BCP004: /u],
  ["variables in a circle", "var a = b\nvar b = a\n", /app\.bicep\(1,9\) : Error BCP080: /u],
  ["types in a circle", "type a = b\ntype b = a\n", /app\.bicep\(1,\d+\) : Error BCP29[89]: /u],
  ["a module that is the file itself", "module m 'app.bicep' = {}\n", /app\.bicep\(1,10\) : Error BCP094: /u],
  ["a module that is missing", "module m 'nobody.bicep' = {}\n", /app\.bicep\(1,10\) : Error BCP091: /u],
  [
    "a template that grows beyond all measure",
    `var v0 = reference('x').a\n${doubling}output o string = v39\n`,
    /app\.bicep\(1,1\) : Error template-too-large: /u,
  ],
] as const) {
  test(`${what} ends in a diagnostic with its place, exit code 1, and no output`, async () => {
    await using sandbox = await sandboxWith({ "app.bicep": source });

    const { code, stdout, stderr } = await sandbox.rad(["bicep", "build", "app.bicep"]);

    assert.equal(code, 1);
    assert.equal(stdout, "");
    assert.match(stderr, place);
    assert.deepEqual(await readdir(sandbox.home), ["app.bicep"]);
  });
}

test("modules that use each other in a circle are told with the place in each", async () => {
  await using sandbox = await sandboxWith({
    "app.bicep": "module m 'sub/m.bicep' = {}\n",
    "sub/m.bicep": "module m '../app.bicep' = {}\n",
  });

  const { code, stderr } = await sandbox.rad(["bicep", "build", "app.bicep"]);

  assert.equal(code, 1);
  assert.match(stderr, /app\.bicep\(1,10\) : Error BCP095: .*\n.*m\.bicep\(1,10\) : Error BCP095: .*\n2 errors\n$/u);
});

test("build-params tells when the template that goes along is too large", async () => {
  await using sandbox = await sandboxWith({
    "app.bicep": `var v0 = reference('x').a\n${doubling}output o string = v39\n`,
    "app.bicepparam": "using 'app.bicep'\n",
  });

  const { code, stdout, stderr } = await sandbox.rad(["bicep", "build-params", "app.bicepparam", "--stdout"]);

  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /app\.bicep\(1,1\) : Error template-too-large: /u);
});
