import assert from "node:assert/strict";
import { it } from "node:test";
import type { Node } from "./nodes.ts";
import { parseBicep } from "./parse.ts";
import { isMissing, isSkipped } from "./predicates.ts";
import { nodeText } from "./syntax-file.ts";
import { depthOf, forEachChild, parentsOf, walk } from "./walk.ts";

const file = parseBicep("@a(1)\nvar b = '${c}' + d[0]\nparam =");

it("visits parents before children, in source order", () => {
  const visited: string[] = [];

  walk(file.program, (node) => {
    visited.push(`${node.kind} ${nodeText(file, node).replaceAll("\n", " ").slice(0, 12)}`);
  });

  assert.deepEqual(visited.slice(0, 12), [
    "Program @a(1) var b ",
    "VariableDeclaration @a(1) var b ",
    "Decorator @a(1)",
    "FunctionCall a(1)",
    "Identifier a",
    "FunctionArgument 1",
    "IntegerLiteral 1",
    "Identifier b",
    "BinaryOperation '${c}' + d[0",
    "StringExpression '${c}'",
    "VariableAccess c",
    "Identifier c",
  ]);
});

it("stays out of what the visitor turns down", () => {
  const kinds: string[] = [];

  walk(file.program, (node) => {
    kinds.push(node.kind);
    return node.kind === "Program";
  });

  assert.deepEqual(kinds, ["Program", "VariableDeclaration", "ParameterDeclaration"]);
});

it("knows the parent of every node but the root", () => {
  const parents = parentsOf(file.program);

  walk(file.program, (node) => {
    const parent = parents.get(node);
    const siblings: Node[] = [];
    if (parent !== undefined) {
      forEachChild(parent, (child) => siblings.push(child));
    }
    assert.equal(siblings.includes(node), node !== file.program);
  });
});

it("tells missing slots from skipped ones", () => {
  const parameter = file.program.statements[1];

  assert.equal(parameter?.kind, "ParameterDeclaration");
  assert.ok(isSkipped(parameter.name.token) && !isMissing(parameter.name.token));
  assert.ok(isMissing(parameter.type));
  assert.ok(!isSkipped(parameter) && !isSkipped(undefined) && !isSkipped(parameter.keyword));
});

it("counts the levels of a tree", () => {
  const [statement] = parseBicep("var a = [1]").program.statements;

  assert.ok(statement !== undefined);
  assert.equal(depthOf(statement), 4); // declaration, array, item, integer
});
