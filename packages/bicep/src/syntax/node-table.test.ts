import assert from "node:assert/strict";
import { test } from "node:test";
import { NodeTable, parseBicep, parseParams, walk } from "./index.ts";
import type { Node, SyntaxFile } from "./index.ts";

const wellFormed = `@description('a')
type shape = { kind: 'a' | 'b', size: int?, *: string[] }
func twice(x int) int => x * 2
resource r 'a/b@2020-01-01' = [for (item, i) in [1, -2]: if (i > 0) { name: '\${item}', ...{ a: r[0]!.b.?c } }]
output o array = map([1], (y) => sys.string(y))
`;
const broken =
  "var = [1 2\n@secure()\nparam 'x\ntype t = {a: }\nresource b 'x' = { a b\nvar l = (1, b) => 'a${ b c'\nfoo\n";
const parameters =
  "using './main.bicep' with { a: 1 }\nextends 'x.bicepparam'\nparam a = 1\nextensionConfig k with {}\n";

const files: readonly SyntaxFile[] = [
  parseBicep(wellFormed),
  parseBicep(broken),
  parseBicep(""),
  parseParams(parameters),
];

function nodesOf(file: SyntaxFile): readonly Node[] {
  const nodes: Node[] = [];
  walk(file.program, (node) => {
    nodes.push(node);
  });
  return nodes;
}

test("no two nodes of a tree share an id, and the root has the highest", () => {
  for (const file of files) {
    const ids = nodesOf(file).map((node) => node.id);
    assert.equal(new Set(ids).size, ids.length, file.text);
    assert.equal(Math.max(...ids), file.program.id, file.text);
    assert.equal(Math.min(...ids) >= 0, true, file.text);
  }
});

test("a table tells what was set for each node, and nothing for the others", () => {
  for (const file of files) {
    const nodes = nodesOf(file);
    const table = new NodeTable<string>(file.program);
    const known = nodes.filter((_, index) => index % 2 === 0);
    for (const node of known) {
      table.set(node, `${node.kind} ${node.start}`);
    }
    for (const node of nodes) {
      assert.equal(table.get(node), known.includes(node) ? `${node.kind} ${node.start}` : undefined);
    }
  }
});
