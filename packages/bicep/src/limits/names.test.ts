import assert from "node:assert/strict";
import { it } from "node:test";
import { limitsOf } from "./testing/limits-of.ts";
import type { LimitRow } from "./testing/limits-of.ts";

const files = { "m.bicep": "", "s.bicep": "targetScope = 'subscription'\n" };

function resource(symbol: string, type: string, ...lines: string[]): string {
  return `resource ${symbol} '${type}@2020-01-01' = {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`;
}

function module(symbol: string, path: string, ...lines: string[]): string {
  return `module ${symbol} '${path}' = {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`;
}

const rows: readonly LimitRow[] = [
  [
    "a name has one part for each segment of the type",
    resource("a", "A.B/c", "name: 'x/y'") +
      resource("b", "A.B/c/d", "name: 'x'") +
      resource("c", "A.B/c/d", "name: 'x/y'"),
    "BCP169 'x/y'",
    "BCP169 'x'",
  ],
  [
    "a name with holes can only have too many parts",
    `param p string\n${resource("a", "A.B/c/d", "name: '${p}'")}${resource("b", "A.B/c/d", "name: '${p}/x/y'")}${resource("c", "A.B/c/d", "name: p")}`,
    "BCP169 '${p}/x/y'",
  ],
  [
    "a child's name is its own part only",
    resource("a", "A.B/c", "name: 'x'", "resource n 'd' = {", "  name: 'x/n'", "}") +
      resource("b", "A.B/c/d", "parent: a", "name: '${a.name}/y'"),
    "BCP170 'x/n'",
    "BCP170 '${a.name}/y'",
  ],
  [
    "resources of one type and name are one resource",
    `var v = 'x'\n${resource("a", "A.B/c", "name: 'x'")}${resource("b", "a.b/C", "name: v")}${resource("c", "A.B/c", "name: 'y'")}${resource("d", "A.B/d", "name: 'x'")}`,
    "BCP121 'x'",
    "BCP121 v",
  ],
  [
    "children of different parents differ, and so do extensions of different resources",
    resource("a", "A.B/c", "name: 'x'") +
      resource("b", "A.B/c", "name: 'y'") +
      resource("c", "A.B/c/d", "parent: a", "name: 'z'") +
      resource("d", "A.B/c/d", "parent: b", "name: 'z'") +
      resource("e", "D.E/f", "scope: a", "name: 'z'") +
      resource("f", "D.E/f", "scope: b", "name: 'z'"),
  ],
  [
    "children of one parent are the same however the parent is given",
    resource("a", "A.B/c", "name: 'x'", "resource n 'd' = {", "  name: 'z'", "}") +
      resource("b", "A.B/c/d", "parent: a", "name: 'z'"),
    "BCP121 'z'",
    "BCP121 'z'",
  ],
  [
    "conditions may make the difference, unless they are plainly true",
    "param on bool\nresource a 'A.B/c@2020-01-01' = if (on) {\n  name: 'x'\n}\nresource b 'A.B/c@2020-01-01' = if (!on) {\n  name: 'x'\n}\nresource c 'A.B/c@2020-01-01' = if (true) {\n  name: 'x'\n}\nresource d 'A.B/c@2020-01-01' = if (1 == 1) {\n  name: 'x'\n}\n",
    "BCP121 'x'",
    "BCP121 'x'",
  ],
  [
    "modules of one name and scope are one deployment",
    module("a", "m.bicep", "name: 'x'") +
      module("b", "m.bicep", "name: 'x'", "scope: resourceGroup()") +
      module("c", "m.bicep", "name: 'x'", "scope: resourceGroup('g')") +
      module("d", "m.bicep", "name: 'x'", "scope: resourceGroup('g')") +
      module("e", "m.bicep", "name: 'x'", "scope: resourceGroup('h')") +
      module("f", "s.bicep", "name: 'x'", "scope: subscription()"),
    "BCP122 'x'",
    "BCP122 'x'",
    "BCP122 'x'",
    "BCP122 'x'",
  ],
  [
    "names that are not literals are taken to differ",
    `param p string\n${module("a", "m.bicep", "name: p")}${module("b", "m.bicep", "name: p")}${resource("c", "A.B/c", "name: p")}${resource("d", "A.B/c", "name: p")}`,
  ],
];

for (const [sentence, source, ...found] of rows) {
  it(sentence, () => {
    assert.deepEqual(limitsOf(source, files), found);
  });
}
