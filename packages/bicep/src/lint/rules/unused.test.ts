import assert from "node:assert/strict";
import { it } from "node:test";
import { findings } from "../testing/findings.ts";
import type { FindingRow } from "../testing/findings.ts";

const files = {
  "lib.bicep": "@export()\nvar a = 1\n@export()\ntype t = string\n",
  "broken.bicep": "@export()\nvar a = nothing\n",
};

const tables: Readonly<Record<string, readonly FindingRow[]>> = {
  "no-unused-params": [
    ["a parameter nobody mentions", "param a string\nparam b string\noutput o string = b\n", "a"],
    ["its own default is a mention", "param a string = a\n"],
    ["a declaration without a name is left alone", "param\n"],
  ],
  "no-unused-vars": [
    ["a variable nobody mentions", "var a = 1\nvar b = 2\noutput o int = b\n", "a"],
    ["an exported variable is for others", "@export()\nvar a = 1\n"],
    ["calling a variable is a mention, though a wrong one", "var a = 1\noutput o int = a()\n"],
    ["of duplicates the first is called", "var a = 1\nvar a = 2\noutput o int = a()\n", "a"],
    ["of duplicates the first is meant", "var a = 1\nvar a = 2\noutput o int = a\n", "a"],
    [
      "loop and lambda variables may be ignored",
      "output o array = [for x in [1]: 2]\noutput p array = map([1], x => 2)\n",
    ],
    ["a variable beside a parenthesis is not called", "var a = (1)\nparam b (string)\n", "a"],
  ],
  "no-unused-types": [
    ["a type nobody mentions", "type a = string\ntype b = int\nparam p b\n", "a"],
    ["an exported type is for others", "@export()\ntype a = string\n"],
  ],
  "no-unused-existing-resources": [
    [
      "an existing resource nobody mentions",
      "resource a 'A.B/c@2020-01-01' existing = {\n  name: 'a'\n}\nresource b 'A.B/c@2020-01-01' existing = {\n  name: 'b'\n}\noutput o string = b.id\n",
      "a",
    ],
    [
      "one with resources inside is used by them",
      "resource a 'A.B/c@2020-01-01' existing = {\n  name: 'a'\n  resource d 'd' = {\n    name: 'd'\n  }\n}\n",
    ],
    ["a deployed resource needs no mention", "resource a 'A.B/c@2020-01-01' = {\n  name: 'a'\n}\n"],
  ],
  "no-unused-imports": [
    [
      "items and wildcards nobody mentions, by their local names",
      "import { a as b, t } from 'lib.bicep'\nimport * as lib from 'lib.bicep'\nparam p t\n",
      "b",
      "lib",
    ],
    ["an import that failed is an error already", "import { a } from 'broken.bicep'\nimport { b } from 'lib.bicep'\n"],
  ],
};

for (const [rule, rows] of Object.entries(tables)) {
  for (const [sentence, source, ...found] of rows) {
    it(`${rule}: ${sentence}`, () => {
      assert.deepEqual(findings(rule, source, { files }), found);
    });
  }
}
