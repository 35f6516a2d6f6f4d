import assert from "node:assert/strict";
import { it } from "node:test";
import { parseHcl, prepareParser } from "./parse-hcl.ts";

const variable = (name: string) => [{ name: "main.tf", text: `variable "${name}" {}\n` }];
const tooDeep = [{ name: "main.tf", text: `variable "x" { default = ${"[".repeat(50_000)}${"]".repeat(50_000)} }` }];

it("a text is parsed once, also when several ask for it at once", async () => {
  const [first, meanwhile] = await Promise.all([parseHcl(variable("once")), parseHcl(variable("once"))]);

  assert.deepEqual(first, [{ json: '{"variable":{"once":[{}]}}' }]);
  assert.equal(meanwhile, first);
  assert.equal(await parseHcl(variable("once")), first);
});

it("the name of a file counts, as errors have it", async () => {
  const [first] = await parseHcl([{ name: "a.tf", text: "variable" }]);
  const [second] = await parseHcl([{ name: "b.tf", text: "variable" }]);

  assert.match(JSON.stringify(first), /a\.tf/u);
  assert.match(JSON.stringify(second), /b\.tf/u);
});

it("a thread that waits reads what comes next, and one that it ends is replaced", async () => {
  prepareParser();
  assert.deepEqual(await parseHcl(variable("module")), [{ json: '{"variable":{"module":[{}]}}' }]);

  prepareParser();
  await assert.rejects(parseHcl(tooDeep), { code: "ModuleUnreadable" });
  await assert.rejects(parseHcl(tooDeep), { code: "ModuleUnreadable" });
  assert.deepEqual(await parseHcl(variable("after")), [{ json: '{"variable":{"after":[{}]}}' }]);
});
