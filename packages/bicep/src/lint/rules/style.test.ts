import assert from "node:assert/strict";
import { it } from "node:test";
import { findings } from "../testing/findings.ts";
import type { FindingRow } from "../testing/findings.ts";

const tables: Readonly<Record<string, readonly FindingRow[]>> = {
  "prefer-interpolation": [
    [
      "concat of strings",
      "param p string\nvar a = concat('x', p)\nvar b = sys.concat(p, p)\n",
      "concat('x', p)",
      "sys.concat(p, p)",
    ],
    ["concat of arrays has no other way", "var a = concat([1], [2])\n"],
    ["one argument is not joined with anything", "param p string\nvar a = concat(p)\n"],
    ["what may be an array is left alone", "param p object\nvar a = concat(p.x, p.y)\n"],
  ],
  "simplify-interpolation": [
    [
      "a string that is one hole",
      "param p string\nparam q string = '${p}'\nvar a = '${p}'\nvar b = {\n  c: '${p}'\n}\noutput o string = '${p}'\n",
      "'${p}'",
      "'${p}'",
      "'${p}'",
      "'${p}'",
    ],
    ["other values become strings that way", "param i int\nparam x object\nvar a = '${i}'\nvar b = '${x.y}'\n"],
    ["more than one hole says something", "param p string\nvar a = '${p} '\nvar b = '${p}${p}'\n"],
    ["arguments and items are left alone", "param p string\nvar a = ['${p}']\nvar b = toUpper('${p}')\n"],
  ],
  "prefer-unquoted-property-names": [
    [
      "quotes around a name",
      "var a = {\n  'b': 1\n  'c-d': 2\n  'true': 3\n}\ntype t = {\n  'e': string\n}\nvar f = a['b']\nvar g = a[?'b']\nvar h = a['c-d']\n",
      "'b'",
      "'e'",
      "['b']",
      "[?'b']",
    ],
    ["names with holes need quotes", "param p string\nvar a = {\n  '${p}': 1\n}\n"],
  ],
  "simplify-json-null": [
    [
      "null in disguise",
      "var a = json('null')\nvar b = json(' null ')\nvar c = json('1')\n",
      "json('null')",
      "json(' null ')",
    ],
  ],
  "decompiler-cleanup": [
    [
      "names that a decompiler made up",
      "var a_var = 1\nvar b = 2\nresource c_resource 'A.B/c@2020-01-01' = {\n  name: 'c'\n}\n",
      "a_var",
      "'c'",
    ],
  ],
  "no-explicit-any": [["any as a type", "type t = {\n  a: any\n  b: any?\n}\nvar a = any(1)\n", "any", "any"]],
  "use-user-defined-types": [
    ["object and array", "param a object\nparam b array\nparam c string\n", "object", "array"],
  ],
  "no-conflicting-metadata": [
    [
      "a description in both places",
      "@description('a')\n@metadata({\n  description: 'b'\n  other: 1\n})\nparam a string\n@metadata({\n  description: 'c'\n})\nparam b string\n",
      "description",
    ],
  ],
  "use-safe-access": [
    [
      "a guard that the language has a word for",
      "param o object\nvar a = contains(o, 'k') ? o.k : 1\nvar b = contains(o, 'k') ? o['k'] : 1\nvar c = contains(o, 'k') ? o.l : 1\n",
      "contains(o, 'k') ? o.k : 1",
      "contains(o, 'k') ? o['k'] : 1",
    ],
    [
      "a property that may be missing",
      "param o { a: string?, b: string }\nvar a = o.a\nvar b = o.b\nvar c = o.?a\nvar d = o.a!\n",
      "o.a",
    ],
  ],
  "no-hardcoded-env-urls": [
    [
      "hosts of one cloud",
      "param p string\nvar a = 'https://management.azure.com/x'\nvar b = '${p}.database.windows.net'\nvar c = 'batch.core.windows.net'\n",
      "management.azure.com",
      "database.windows.net",
      "batch.core.windows.net",
    ],
    [
      "longer words and schemas are other hosts",
      "var a = 'notmanagement.azure.com1'\nvar b = 'schema.management.azure.com'\n",
    ],
    [
      "descriptions and metadata are for people",
      "metadata m = 'management.azure.com'\n@description('management.azure.com')\n@metadata({\n  a: 'management.azure.com'\n})\nparam p string\n",
    ],
  ],
};

for (const [rule, rows] of Object.entries(tables)) {
  for (const [sentence, source, ...found] of rows) {
    it(`${rule}: ${sentence}`, () => {
      assert.deepEqual(findings(rule, source), found);
    });
  }
}

it("no-hardcoded-env-urls: both lists can be configured", () => {
  const source = "var a = 'management.azure.com'\nvar b = 'my.host'\nvar c = 'not.my.host'\n";

  const found = findings("no-hardcoded-env-urls", source, {
    options: { disallowedhosts: ["my.host"], excludedhosts: ["not.my.host"] },
  });

  assert.deepEqual(found, ["my.host"]);
});

it("no-hardcoded-env-urls: a parameters file is for one deployment", () => {
  const source = "using none\nparam a = 'management.azure.com'\n";

  const found = findings("no-hardcoded-env-urls", source, { name: "main.bicepparam" });

  assert.deepEqual(found, []);
});
