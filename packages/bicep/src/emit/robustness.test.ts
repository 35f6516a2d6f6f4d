import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { formatBicep } from "../format/index.ts";
import { parseBicep } from "../syntax/index.ts";
import { emitParametersFile, emitTemplate } from "./index.ts";
import { emit, modelOf } from "./testing/compile.ts";

const statements = [
  "param p string = 'x'",
  "param n int",
  "param o object = {}",
  "var v = {0}",
  "var w = [for (x, i) in {1}: {0}]",
  "output q array = [any({0})]",
  "output l array = [for y in {1}: {0}]",
  "resource r 'My.Rp/a@2020-01-01' = {\n  name: 'r'\n  properties: {\n    a: {0}\n    b: [for z in {1}: {0}]\n  }\n}",
  "resource rs 'My.Rp/a@2020-01-01' = [for (x, i) in {1}: if ({0} == 1) {\n  name: 'r${x}'\n  tags: {0}\n}]",
  "resource e 'My.Rp/a@2020-01-01' existing = {\n  name: {0}\n}",
  "resource c 'My.Rp/a/b@2020-01-01' = {\n  parent: rs[0]\n  name: 'c'\n  scope: {0}\n}",
  "module m 'm.bicep' = {\n  params: {\n    t: {0}\n    u: [for k in {1}: k]\n  }\n}",
  "type t = { a: t?, b: 'x' | 'y', *: int[] }",
  "func f(a string) object => { a: {0} }",
  "import { shared } from 'm.bicep'",
  "import * as lib from 'm.bicep'",
  "metadata about = {0}",
];
const leaves = [
  "p",
  "n",
  "o",
  "v",
  "w",
  "r",
  "rs[0]",
  "rs",
  "e.id",
  "m.outputs.o",
  "r.properties.x",
  "shared",
  "lib.shared",
  "x",
  "i",
  "'s'",
  "1",
  "null",
  "true",
  "f('a')",
  "tenant()",
  "lib",
  "t",
  "unknown",
];

const expression = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...leaves),
    fc.tuple(tie("node"), fc.constantFrom("a", "id", "properties", "outputs")).map(([base, name]) => `${base}.${name}`),
    fc.tuple(tie("node"), tie("node")).map(([base, at]) => `${base}[${at}]`),
    tie("node").map((base) => `${base}.?a.b[^1]`),
    fc.array(tie("node"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
    fc
      .array(tie("node"), { maxLength: 2 })
      .map((items) => `{ ${items.map((item, at) => `k${at}: ${item}`).join(", ")} }`),
    tie("node").map((inner) => `[...${inner}, 1]`),
    tie("node").map((inner) => `'a\${${inner}}b'`),
    fc.tuple(tie("node"), tie("node"), tie("node")).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc.tuple(tie("node"), tie("node")).map(([a, b]) => `(${a} ?? ${b})`),
    tie("node").map((inner) => `map(${inner}, k => k.a)`),
    tie("node").map((inner) => `r.list(${inner})`),
  ),
})).node;

const program = fc
  .array(fc.tuple(fc.constantFrom(...statements), expression, expression), { minLength: 1, maxLength: 12 })
  .map((parts) =>
    parts.map(([text, first, second]) => text.replaceAll("{0}", first).replaceAll("{1}", second)).join("\n"),
  );

const files = {
  "/m.bicep": "param t object = {}\nparam u array = []\noutput o string = ''\n@export()\nvar shared = 'x'\n",
};

describe("the emitter", () => {
  it("never throws, gives JSON, and gives the same again, even for files with errors", () => {
    fc.assert(
      fc.property(program, fc.boolean(), (source, symbolic) => {
        const model = modelOf("/main.bicep", source, { files, features: symbolic ? ["symbolicNameCodegen"] : [] });
        const first = emitTemplate(model, { generatorVersion: "1", sourceMap: true });
        if (first.diagnostics.length === 0) {
          JSON.parse(first.text);
          assert.match(first.templateHash, /^\d+$/);
        }
        assert.equal(emitTemplate(model, { generatorVersion: "1" }).text, first.text);
      }),
      { numRuns: 300 },
    );
  });

  it("gives the same for a file that parses and was formatted", () => {
    const textOf = (source: string) =>
      emitTemplate(modelOf("/main.bicep", source, { files }), { generatorVersion: "1" }).text;
    fc.assert(
      fc.property(program, (source) => {
        const syntax = parseBicep(source);
        fc.pre(syntax.diagnostics.length === 0);
        assert.equal(textOf(formatBicep(syntax)), textOf(source));
      }),
      { numRuns: 200 },
    );
  });

  it("never throws over parameters files", () => {
    const assignments = fc.array(fc.tuple(fc.constantFrom("p", "n", "o", "v"), expression), { maxLength: 6 });
    fc.assert(
      fc.property(assignments, (parts) => {
        const lines = parts.map(([name, value], at) =>
          at % 2 === 0 ? `param ${name} = ${value}` : `var ${name}${at} = ${value}`,
        );
        const model = modelOf("/main.bicepparam", `using none\n${lines.join("\n")}\n`, { files });
        JSON.parse(emitParametersFile(model).text);
      }),
      { numRuns: 300 },
    );
  });

  it("refuses templates that would be too large instead of filling the memory", () => {
    const lines = ["var v0 = reference('x').a"];
    for (let at = 1; at < 40; at += 1) {
      lines.push(`var v${at} = concat(v${at - 1}, v${at - 1})`);
    }
    const result = emit(`${lines.join("\n")}\noutput o string = v39\n`);
    assert.deepEqual(
      result.diagnostics.map((diagnostic) => diagnostic.code),
      ["template-too-large"],
    );
    assert.equal(result.text, "");
  });

  it("copes with long chains of variables that are emitted in place, and refuses absurd ones", () => {
    const chain = (length: number) => {
      const lines = Array.from({ length }, (_, at) => `var v${at + 1} = v${at}.a`);
      return emit(`var v0 = reference('x').a\n${lines.join("\n")}\noutput o string = v${length}\n`);
    };
    assert.deepEqual(chain(500).diagnostics, []);
    assert.deepEqual(
      chain(20_000).diagnostics.map((diagnostic) => diagnostic.code),
      ["template-too-large"],
    );
  });

  it("changes the hash with the content and with the version of the generator", () => {
    const model = modelOf("/main.bicep", "output o string = 'a'\n", {});
    const other = modelOf("/main.bicep", "output o string = 'b'\n", {});
    const hash = emitTemplate(model, { generatorVersion: "1" }).templateHash;
    assert.equal(emitTemplate(model, { generatorVersion: "1" }).templateHash, hash);
    assert.notEqual(emitTemplate(other, { generatorVersion: "1" }).templateHash, hash);
    assert.notEqual(emitTemplate(model, { generatorVersion: "2" }).templateHash, hash);
  });
});
