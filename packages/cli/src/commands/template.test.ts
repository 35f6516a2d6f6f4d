import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createSandbox } from "../testing/sandbox.ts";

async function evaluate(...args: readonly string[]): Promise<unknown> {
  await using sandbox = await createSandbox();
  await writeFile(join(sandbox.home, "values.json"), JSON.stringify({ p: { deep: [1] } }));
  await writeFile(
    join(sandbox.home, "parameters.json"),
    JSON.stringify({ $schema: "s", contentVersion: "1.0.0.0", parameters: { p: { value: "wrapped" } } }),
  );
  const { code, stdout, stderr } = await sandbox.rad(["template", "evaluate", ...args]);
  return code === 0 ? (JSON.parse(stdout) as unknown) : stderr;
}

test("an expression is printed as JSON, with or without its brackets", async () => {
  assert.equal(await evaluate("concat('a', 'b')"), "ab");
  assert.deepEqual(await evaluate("[createObject('a', createArray(1, true()))]"), { a: [1, true] });
});

test("values come as JSON, from files or one by one", async () => {
  const read = ["createArray(parameters('p'), variables('v'))", "--variables", `{"v": 1}`];

  assert.deepEqual(await evaluate(...read, "--parameters", "p=text"), ["text", 1]);
  assert.deepEqual(await evaluate(...read, "--parameters", `p={"a":1}`), [{ a: 1 }, 1]);
  assert.deepEqual(await evaluate(...read, "--parameters", "@values.json"), [{ deep: [1] }, 1]);
  assert.deepEqual(await evaluate(...read, "--parameters", "@parameters.json"), ["wrapped", 1]);
  assert.deepEqual(await evaluate(...read, "--parameters", "@values.json", "--parameters", "p=2"), [2, 1]);
});

test("every digit of an integer is printed, and members in their order", async () => {
  await using sandbox = await createSandbox();
  const { stdout } = await sandbox.rad(["template", "evaluate", "createObject('b', 9223372036854775807, '1', null())"]);

  assert.equal(stdout, '{\n  "b": 9223372036854775807,\n  "1": null\n}\n');
});

test("every digit of a given integer counts, and members keep their order", async () => {
  await using sandbox = await createSandbox();
  const values = '{"a": {"2": 9223372036854775807, "1": 1.0}}';
  const { stdout } = await sandbox.rad(["template", "evaluate", "string(variables('a'))", "--variables", values]);

  assert.equal(stdout, '"{\\"2\\":9223372036854775807,\\"1\\":1.0}"\n');
});

test("null is null in every form, and an integer that is too long is named as such", async () => {
  assert.equal(await evaluate("parameters('p')", "--parameters", "p=null"), null);
  assert.equal(await evaluate("parameters('p')", "--parameters", '{"p": null}'), null);
  for (const values of ["p=99999999999999999999", '{"p": 99999999999999999999}']) {
    const refusal = String(await evaluate("parameters('p')", "--parameters", values));
    assert.match(refusal, /does not fit 64 bits[^]*InvalidUsage/);
  }
});

test("an error has the code of what is wrong", async () => {
  assert.match(String(await evaluate("nothing()")), /UnknownFunction/);
  assert.match(String(await evaluate("concat('a'")), /ExpressionSyntax/);
});

test("a file gives an answer per expression, errors among them", async () => {
  await using sandbox = await createSandbox();
  const cases = [
    { id: "a", expression: "[add(parameters('p'), 1)]", parameters: { p: 1 } },
    { id: "b", expression: "[nothing()]" },
    { id: "c", expression: "text" },
    {
      id: "d",
      expression: "[resourceGroup().location]",
      context: { subscriptionId: "s", resourceGroup: "g", location: "eu" },
    },
  ];

  const { code, stdout } = await sandbox.rad(["template", "evaluate", "--file", "-"], { stdin: JSON.stringify(cases) });

  assert.equal(code, 0);
  const answers = JSON.parse(stdout) as { id: string; value?: unknown; error?: { code: string } }[];
  assert.deepEqual(
    answers.map(({ id, value, error }) => [id, value ?? error?.code]),
    [
      ["a", 2],
      ["b", "UnknownFunction"],
      ["c", "text"],
      ["d", "eu"],
    ],
  );
});

test("standard input has a name in errors, and help shows what a file looks like", async () => {
  await using sandbox = await createSandbox();
  const errorOf = async (stdin: string) =>
    (await sandbox.rad(["template", "evaluate", "--file", "-"], { stdin })).stderr.split("\n")[0];

  assert.match((await errorOf(`[{"id": "a"}]`)) ?? "", /^<stdin>\[0\] needs an "id" and an "expression"/);
  assert.match((await errorOf("{")) ?? "", /^<stdin> is not JSON\.$/);

  const { stdout } = await sandbox.rad(["template", "evaluate", "--help"]);
  const example = /\[\{ "id".*\}\]/.exec(stdout)?.[0] ?? "";
  const answer = await sandbox.rad(["template", "evaluate", "--file", "-"], { stdin: example });
  assert.deepEqual(JSON.parse(answer.stdout), [{ id: "sum", value: 3 }]);
});

for (const [what, args, stdin] of [
  ["neither expression nor file", [], ""],
  ["both", ["1", "--file", "-"], "[]"],
  ["values that are no object", ["1", "--parameters", "[1]"], ""],
  ["a file that is not there", ["--file", "nowhere.json"], ""],
  ["a file that is no JSON", ["--file", "-"], "{"],
  ["a file that is no array", ["--file", "-"], "{}"],
  ["a case without an expression", ["--file", "-"], `[{"id": "a"}]`],
  ["a case whose parameters are no object", ["--file", "-"], `[{"id": "a", "expression": "x", "parameters": 1}]`],
] as const) {
  test(`refused in one line: ${what}`, async () => {
    await using sandbox = await createSandbox();

    const { code, stdout, stderr } = await sandbox.rad(["template", "evaluate", ...args], { stdin });

    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /(?:InvalidUsage|InvalidFile|FileUnreadable)/);
  });
}
