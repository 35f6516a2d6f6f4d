import { it } from "node:test";
import assert from "node:assert/strict";
import fc from "fast-check";
import { walk } from "../syntax/index.ts";
import { modelOf } from "./testing/check-source.ts";

const template = `targetScope = 'resourceGroup'
metadata about = { owner: 'team' }
import { item, twice } from 'lib.bicep'
import * as lib from 'lib.bicep'
@description('a name')
@minLength(3)
@maxLength(9)
param name string = 'abc'
@allowed(['a', 'b'])
param kind string
param items item[] = []
param maybe { a: string?, b: [int, string] }?
@discriminator('kind')
type shape = { kind: 'circle', radius: int } | { kind: 'square', side: int }
type tree = { left: tree?, right: tree?, *: tree }
param drawn shape = { kind: 'circle', radius: 1 }
var text = '\${name}-\${kind}-\${length(items)}'
var numbers = [for (i, index) in range(0, 3): i + index]
var chosen = maybe.?b[0] ?? 7 % 2
var mapped = map(filter(numbers, n => n > 1), n => { value: n, ...drawn })
func join2(a string, b string) string => twice('\${a}/\${b}')
resource parent 'Ns.One/parents@2020-01-01' = if (kind == 'a') {
  name: name
  location: resourceGroup().location
  properties: {
    values: [for n in numbers: { n: n }]
  }
  resource child 'children' = {
    name: 'child'
  }
}
resource many 'Ns.One/parents/children@2020-01-01' = [for n in numbers: {
  parent: parent
  name: 'c\${n}'
  dependsOn: [parent::child]
}]
module mod 'mod.bicep' = {
  name: 'mod'
  params: {
    value: many[0].id
  }
}
output result string = mod.outputs.value
output ids array = [for n in numbers: many[n].id]
output shared string = lib.twice(lib.text)
`;

const parameters = `using 'main.bicep'
extends 'base.bicepparam'
import { text } from 'lib.bicep'
var prefix = 'x'
param name = '\${prefix}\${text}'
param kind = base.kind
param items = [{ a: readEnvironmentVariable('NAME', 'none') }]
param maybe = { a: null, b: [1, 'two'] }
`;

const files = {
  "lib.bicep":
    "@export()\ntype item = { a: string }\n@export()\nvar text = 'hi'\n@export()\nfunc twice(s string) string => '${s}${s}'",
  "mod.bicep": "param value string\noutput value string = value",
  "base.bicepparam": "using none\nparam kind = 'a'",
};

it("the sources of these tests are fine as they are", () => {
  const found = modelOf(template, { files })
    .diagnostics()
    .filter((diagnostic) => diagnostic.level === "error");

  assert.deepEqual(found, []);
});

it("random edits of a template never throw", () => {
  fc.assert(
    fc.property(edits(template.length), (changes) => {
      explore(edited(template, changes), false);
    }),
    { numRuns: 150 },
  );
});

it("random edits of a parameters file never throw", () => {
  fc.assert(
    fc.property(edits(parameters.length), (changes) => {
      explore(edited(parameters, changes), true);
    }),
    { numRuns: 100 },
  );
});

/** Asks a model everything that can be asked about its nodes. */
function explore(source: string, params: boolean): void {
  const model = modelOf(source, { files: { ...files, "main.bicep": template }, params });
  model.diagnostics();
  walk(model.file.syntax.program, (node) => {
    const symbol = model.symbolOf(node);
    if (symbol !== undefined) {
      model.typeOfSymbol(symbol);
      model.referencesTo(symbol);
      model.cycleOf(symbol);
    }
    model.declaredTypeOf(node);
    model.decoratorsOf(node);
  });
  const { parameters: inputs, outputs, exports } = model.asTemplate(() => false);
  assert.ok(inputs.size + outputs.size + exports.size >= 0);
}

interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

function edits(length: number): fc.Arbitrary<readonly Edit[]> {
  const pieces = [
    "",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "'",
    "${",
    ".",
    "?",
    ":",
    "=",
    "for",
    "name",
    "parent",
    "\n",
    "1",
    "@",
  ];
  const edit = fc.record({
    at: fc.nat(length),
    remove: fc.nat(12),
    insert: fc.constantFrom(...pieces),
  });
  return fc.array(edit, { minLength: 1, maxLength: 6 });
}

function edited(source: string, changes: readonly Edit[]): string {
  let text = source;
  for (const { at, remove, insert } of changes) {
    text = text.slice(0, at) + insert + text.slice(at + remove);
  }
  return text;
}
