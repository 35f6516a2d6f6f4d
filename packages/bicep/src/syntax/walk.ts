import { partNames } from "./node-parts.ts";
import type { Node, Program, StringExpression } from "./nodes.ts";
import { Token } from "./tokens.ts";

type Part = Node | Token;

/** Calls `visit` for every token and child of a node, in source order. */
export function forEachPart(node: Node, visit: (part: Part) => void): void {
  if (node.kind === "StringExpression") {
    forEachStringPart(node, visit);
    return;
  }
  const fields = node as unknown as Readonly<Record<string, Part | readonly Part[] | undefined>>;
  for (const name of partNames[node.kind]) {
    const part = fields[name];
    if (part === undefined) {
      continue;
    }
    if (Array.isArray(part)) {
      for (const item of part as readonly Part[]) {
        visit(item);
      }
    } else {
      visit(part as Part);
    }
  }
}

/** Calls `visit` for every child node, in source order, decorators first. Skipped slots are children too. */
export function forEachChild(node: Node, visit: (child: Node) => void): void {
  if (node.kind === "StringExpression") {
    node.expressions.forEach((expression) => visit(expression));
    return;
  }
  const fields = node as unknown as Readonly<Record<string, Part | readonly Part[] | undefined>>;
  for (const name of partNames[node.kind]) {
    const part = fields[name];
    if (part === undefined || part instanceof Token) {
      continue;
    }
    if (!Array.isArray(part)) {
      visit(part as Node);
      continue;
    }
    for (const item of part as readonly Part[]) {
      if (!(item instanceof Token)) {
        visit(item);
      }
    }
  }
}

/**
 * Visits a node and everything below it, parents before children, in source order and without recursion. A visitor
 * that returns `false` keeps the walk out of that node's children.
 */
export function walk(root: Node, visit: (node: Node) => boolean | void): void {
  const pending: Node[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (visit(node) === false) {
      continue;
    }
    const mark = pending.length;
    forEachChild(node, (child) => pending.push(child));
    reverseFrom(pending, mark);
  }
}

/** The parent of every node of a tree but its root. Built on demand, because most phases never look up. */
export function parentsOf(program: Program): ReadonlyMap<Node, Node> {
  const parents = new Map<Node, Node>();
  walk(program, (node) => forEachChild(node, (child) => parents.set(child, node)));
  return parents;
}

/** How many levels a tree has, its root included. Counts without recursion, so that it can judge any tree. */
export function depthOf(root: Node): number {
  let depth = 0;
  for (let level: Node[] = [root]; level.length > 0; depth += 1) {
    const below: Node[] = [];
    for (const node of level) {
      forEachChild(node, (child) => below.push(child));
    }
    level = below;
  }
  return depth;
}

function forEachStringPart(node: StringExpression, visit: (part: Part) => void): void {
  for (let at = 0; at < node.tokens.length; at += 1) {
    const token = node.tokens[at];
    if (token !== undefined) {
      visit(token);
    }
    const expression = node.expressions[at];
    if (expression !== undefined) {
      visit(expression);
    }
  }
}

function reverseFrom(nodes: Node[], mark: number): void {
  let low = mark;
  let high = nodes.length - 1;
  while (low < high) {
    const first = nodes[low];
    const last = nodes[high];
    if (first !== undefined && last !== undefined) {
      nodes[low] = last;
      nodes[high] = first;
    }
    low += 1;
    high -= 1;
  }
}
