import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createSandbox } from "../testing/sandbox.ts";
import type { Sandbox } from "../testing/sandbox.ts";

const untidy = "var  a=1\n";
const tidy = "var a = 1\n";

/** A folder with files to find, and others to leave alone. */
async function open(more: Readonly<Record<string, string | Uint8Array>> = {}): Promise<Sandbox> {
  const sandbox = await createSandbox();
  const files = {
    "app.bicep": untidy,
    "app.bicepparam": "using none\n",
    "notes.txt": "",
    "modules/a.bicep": untidy,
    "modules/deep/B.BICEP": tidy,
    "modules/node_modules/x.bicep": untidy,
    ".hidden/x.bicep": untidy,
    ...more,
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(sandbox.home, name, ".."), { recursive: true });
    await writeFile(join(sandbox.home, name), content);
  }
  return sandbox;
}

const named: readonly (readonly [what: string, args: readonly string[], found: readonly string[]])[] = [
  ["a folder", ["."], ["app.bicep", "modules/a.bicep"]],
  ["a folder below", ["modules"], ["modules/a.bicep"]],
  ["a pattern", ["**/*.bicep"], ["app.bicep", "modules/a.bicep"]],
  ["a pattern of one folder", ["*.bicep*"], ["app.bicep"]],
  [
    "several that overlap",
    ["modules", "modules/a.bicep", "app.bicep", "./app.bicep"],
    ["modules/a.bicep", "app.bicep"],
  ],
];
for (const [what, args, found] of named) {
  test(`${what}: format --check lists the files that differ, writes nothing and exits with 1`, async () => {
    await using sandbox = await open();

    const { code, stdout, stderr } = await sandbox.rad(["bicep", "format", "--check", ...args]);

    assert.equal(code, 1);
    assert.deepEqual(stdout.trimEnd().split("\n"), found);
    assert.match(stderr, found.length === 1 ? /^1 file is not formatted/u : /^2 files are not formatted/u);
    assert.equal(await readFile(join(sandbox.home, "app.bicep"), "utf8"), untidy);
  });
}

test("format of a folder formats what is its own, after which the check passes", async () => {
  await using sandbox = await open();

  const { code } = await sandbox.rad(["bicep", "format", "."]);
  const check = await sandbox.rad(["bicep", "format", ".", "--check"]);

  assert.equal(code, 0);
  assert.deepEqual(check, { code: 0, stdout: "", stderr: "" });
  assert.equal(await readFile(join(sandbox.home, "modules/a.bicep"), "utf8"), tidy);
  assert.equal(await readFile(join(sandbox.home, "modules/node_modules/x.bicep"), "utf8"), untidy);
});

test("nothing is formatted when one of the files cannot be", async () => {
  await using sandbox = await open({ "modules/z.bicep": new Uint8Array([0x2f, 0x2f, 0xe9, 0x0a]) });

  const { code, stderr } = await sandbox.rad(["bicep", "format", "."]);

  assert.equal(code, 1);
  assert.match(stderr, /modules\/z\.bicep is not UTF-8[^]*Code: {2}InvalidEncoding/u);
  assert.equal(await readFile(join(sandbox.home, "app.bicep"), "utf8"), untidy);
});

test("lint reports every file, a module that several use once, and one sum", async () => {
  const module = "module m 'modules/a.bicep' = {\n  name: 'm'\n}\n";
  await using sandbox = await open({ "one.bicep": module, "two.bicep": module });

  const { code, stderr } = await sandbox.rad(["bicep", "lint", "one.bicep", "two.bicep", "modules/a.bicep"]);
  const sarif = await sandbox.rad(["bicep", "lint", ".", "--diagnostics-format", "sarif"]);

  assert.equal(code, 0);
  assert.match(stderr, /^.*modules\/a\.bicep\(1,6\) : Warning no-unused-vars: .*\n1 warning\n$/u);
  assert.equal(JSON.parse(sarif.stderr).runs[0].results.length, 3);
});

test("an unknown linter rule is reported once for all files", async () => {
  const rules = { "no-unused-vars": { level: "off" }, "no-such-rule": {} };
  await using sandbox = await open({ "bicepconfig.json": JSON.stringify({ analyzers: { core: { rules } } }) });

  const { code, stderr } = await sandbox.rad(["bicep", "lint", "."]);

  assert.equal(code, 0);
  assert.match(stderr, /^.*app\.bicep\(1,1\) : Warning unknown-linter-rule: .*\n1 warning\n$/u);
});

test("lint fails when one of several files has an error", async () => {
  await using sandbox = await open({ "bad.bicep": "output a int = nobody\n" });

  const { code, stderr } = await sandbox.rad(["bicep", "lint", "app.bicep", "bad.bicep", "missing.bicep"]);

  assert.equal(code, 1);
  assert.match(stderr, /BCP057[^]*missing\.bicep\(1,1\) : Error BCP091[^]*\n2 errors, 1 warning\n$/u);
});

const refused: readonly (readonly [what: string, args: readonly string[], code: RegExp])[] = [
  ["a pattern that matches nothing", ["lint", "x/*.bicep"], /NoFiles/u],
  ["a folder without files", ["format", ".hidden/none"], /NoFiles/u],
  ["standard output for several files", ["format", ".", "--stdout"], /InvalidUsage/u],
  ["a check that also prints", ["format", "app.bicep", "--check", "--stdout"], /InvalidUsage/u],
  ["no file at all", ["lint"], /missing required argument/u],
];
for (const [what, args, code] of refused) {
  test(`refused: ${what}`, async () => {
    await using sandbox = await open();
    await mkdir(join(sandbox.home, ".hidden/none"));
    const before = await readdir(sandbox.home);

    const told = await sandbox.rad(["bicep", ...args]);

    assert.deepEqual([told.code, told.stdout], [1, ""]);
    assert.match(told.stderr, code);
    assert.deepEqual(await readdir(sandbox.home), before);
  });
}
