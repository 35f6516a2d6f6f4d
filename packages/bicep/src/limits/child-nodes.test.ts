import assert from "node:assert/strict";
import { it } from "node:test";
import { parseBicep, parseParams, walk } from "../syntax/index.ts";
import type { Node, NodeKind, SyntaxFile } from "../syntax/index.ts";
import { forEachMeaningfulChild } from "./child-nodes.ts";

// Names and the lists that only hold names.
const leftOut: ReadonlySet<NodeKind> = new Set<NodeKind>([
  "AsClause",
  "ForVariableBlock",
  "Identifier",
  "ImportedSymbol",
  "ImportList",
  "LambdaParameters",
  "LocalVariable",
  "Skipped",
  "WildcardImport",
]);

function everyNode(file: SyntaxFile): Node[] {
  const nodes: Node[] = [];
  walk(file.program, (node) => {
    if (leftOut.has(node.kind)) {
      return false;
    }
    nodes.push(node);
    return true;
  });
  return nodes;
}

function meaningfulNodes(file: SyntaxFile): Node[] {
  const nodes: Node[] = [];
  const visit = (node: Node) => {
    nodes.push(node);
    forEachMeaningfulChild(node, visit);
  };
  visit(file.program);
  return nodes;
}

const template = `
@a()
targetScope = 'x'
@b()
metadata m = 'x'
@c(1)
param p string = 'a\${1}b\${x => y}'
param q -1 | !true | 'a' | 2 | true | null | (int) | a.b | a.* | a[0] | a[*] | a<'b'> | c.a<'b'> | resource 'T@1' | d? | e!
@d()
var v { @e() a: string, 'b': int, *: [ @f() bool, any[] ] } = { a: 1, 'b\${x}': [ 1, ...y ], ...z }
@g()
type t = string
@h()
func f(a string, b int) bool => a[0].?b[?1][^2]::c!
@i()
resource r 'T@1' = [for (a, b) in c: if (true) { d: null, @j()
resource s 't' existing = {} }]
@k()
module n 'p' = if (a ? b : -c) { d: e(1, (2)), f: g.h(3) }
@l()
output o array = a || b
@m()
import { a, 'b' as c } from 'd'
import * as e from 'f'
@n()
extension 'g' with { h: 1 } as i
@o()
assert j = true
@p()
test k 'l' = { m: [for n in o: p] }
@q()
var
@r()
`;

const parameters = `
@a()
using 'x' with { a: 1 }
@b()
extends 'y'
@c()
param z = [for a in b: c]
@d()
extensionConfig e with { f: 2 }
`;

for (const [name, file] of [
  ["a template", parseBicep(template)],
  ["a parameters file", parseParams(parameters)],
] as const) {
  it(`the meaningful nodes of ${name} are all but names and skipped text, in source order`, () => {
    assert.deepEqual(
      meaningfulNodes(file).map(({ kind, start, end }) => `${kind} ${start} ${end}`),
      everyNode(file).map(({ kind, start, end }) => `${kind} ${start} ${end}`),
    );
  });
}
