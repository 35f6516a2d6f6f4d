import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createSandbox } from "../testing/sandbox.ts";

const app = `param replicas int
param name string = 'x'
var names = [for i in range(0, replicas): '\${name}\${i}']
func twice(n int) int => n * 2
resource r 'A.B/c@2020-01-01' = {
  name: name
}
output o array = names
`;

interface Told {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function type(lines: readonly string[], ...args: readonly string[]): Promise<Told> {
  await using sandbox = await createSandbox();
  await writeFile(join(sandbox.home, "app.bicep"), app);
  await writeFile(join(sandbox.home, "broken.bicep"), "var a = nothing\n");
  await writeFile(join(sandbox.home, "app.bicepparam"), "using 'app.bicep'\nparam replicas = 1\n");
  return await sandbox.rad(["bicep", "console", ...args], { stdin: `${lines.join("\n")}\n` });
}

test("expressions of a pipe are answered one by one, without a prompt", async () => {
  assert.deepEqual(await type(["1 + 1", "", "toUpper('a')"]), { code: 0, stdout: "2\n'A'\n", stderr: "" });
});

test("a file lends its parameters, variables and functions", async () => {
  const lines = ["names", "twice(length(names))"];

  assert.equal((await type(lines, "app.bicep", "-p", "replicas=1")).stdout, "[\n  'x0'\n]\n2\n");
  assert.equal((await type(lines, "app.bicep", "-p", "app.bicepparam", "-p", "name=y")).stdout, "[\n  'y0'\n]\n2\n");
  assert.equal((await type(["names"], "app.bicep", "-p", "replicas=1", "-o", "json")).stdout, '["x0"]\n');
});

test("what is declared can be used and declared again", async () => {
  const lines = ["var a = 1", "func f(x int) int => x + a", "f(1)", "var a = 2", "f(1)", "type t = 'x' | 'y'"];

  assert.deepEqual(await type(lines), { code: 0, stdout: "2\n3\n", stderr: "" });
});

test("input goes on until its brackets are closed", async () => {
  assert.equal((await type(["{", "  a: [", "    1", "  ]", "}", "2"])).stdout, "{\n  a: [\n    1\n  ]\n}\n2\n");
  assert.match((await type(["[", "1"])).stderr, /BCP/);
});

test("errors point at what was typed, and a pipe with errors fails", async () => {
  const { code, stdout, stderr } = await type(["1 + nobody", "10 / 0", "2"]);

  assert.deepEqual([code, stdout], [1, "2\n"]);
  assert.match(stderr, /console\(1,5\) : Error BCP057: .*\n1 \| 1 \+ nobody\n {8}\^{6}\n/);
  assert.match(stderr, /Error DivisionByZero/);
});

test("a declaration that does not compile changes nothing", async () => {
  const { stdout, stderr } = await type(["var a = 1", "var a = nobody", "a"]);

  assert.equal(stdout, "1\n");
  assert.match(stderr, /BCP057/);
});

test("what only a deployment can tell is said to be unknown", async () => {
  for (const line of ["names", "r.properties.x"]) {
    assert.match((await type([line], "app.bicep")).stderr, /NotKnownYet/);
  }
});

test("commands list what there is, help, and end", async () => {
  const { stdout } = await type([":params", ":vars", ":quit", "1"], "app.bicep", "-p", "replicas=1");

  assert.equal(stdout, "replicas = 1\nname = 'x'\nnames = [\n  'x0'\n]\n");
  assert.equal((await type([":params"], "app.bicep")).stdout, "replicas = (not known)\nname = 'x'\n");
  assert.match((await type([":help"])).stdout, /:vars/);
  assert.match((await type([":nothing"])).stderr, /UnknownCommand/);
});

test("comments are no input, alone or between lines", async () => {
  const lines = ["// nothing", "/* over", "two lines */ // and one more", "1 // one", "  "];

  assert.deepEqual(await type(lines), { code: 0, stdout: "1\n", stderr: "" });
});

test("a decorator belongs to what follows it, and is an error alone", async () => {
  const { code, stdout, stderr } = await type(["@description('x')", "param a int = 1", "a", "@secure()", "", "2"]);

  assert.deepEqual([code, stdout], [1, "1\n2\n"]);
  assert.match(stderr, /console\(1,1\) : Error/);
});

test("the list of parameters keeps secure values to itself", async () => {
  const { stdout } = await type(["@secure()\nparam key string = 'hidden'", ":params", "length(key)"]);

  assert.equal(stdout, "key = (secure)\n6\n");
});

test("a file that only the linter finds fault with is accepted", async () => {
  await using sandbox = await createSandbox();
  const rules = { "no-unused-vars": { level: "error" }, "no-unused-params": { level: "error" } };
  await writeFile(join(sandbox.home, "bicepconfig.json"), JSON.stringify({ analyzers: { core: { rules } } }));
  await writeFile(join(sandbox.home, "app.bicep"), "param p int = 1\nvar v = 2\n");

  const told = await sandbox.rad(["bicep", "console", "app.bicep"], { stdin: "v + 1\nvar w = v\nw\n" });

  assert.deepEqual(told, { code: 0, stdout: "3\n2\n", stderr: "" });
});

test("refused: broken files, files of other kinds, unknown parameters, resources", async () => {
  assert.match((await type([], "broken.bicep")).stderr, /broken\.bicep\(1,9\) : Error BCP057/);
  assert.match((await type([], "app.json")).stderr, /InvalidUsage/);
  assert.match((await type([], "app.bicep", "-p", "other=1")).stderr, /UnknownParameter/);
  assert.match((await type(["resource x 'A.B/c@2020-01-01' = {}"])).stderr, /NotSupportedHere/);
});
