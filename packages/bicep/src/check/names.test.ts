import assert from "node:assert/strict";
import { it } from "node:test";
import { checkSource } from "./testing/check-source.ts";
import type { Row } from "./testing/check-source.ts";

const rows: readonly Row[] = [
  ["an unknown name is reported on the name", "var a = nope", ["1:9 BCP057"]],
  ["an unknown name close to a type suggests it", "var a = strin", ["1:9 BCP082"]],
  ["declared names are never suggested", "var abcdef = 1\nvar b = abcdeg", ["2:9 BCP057"]],
  ["an unknown function is reported on its name", "var a = nope(1)", ["1:9 BCP057"]],
  ["an unknown function close to another suggests it", "var a = concta('a')", ["1:9 BCP082"]],
  ["an unknown function of a namespace is reported on its name", "var a = sys.nope(1)", ["1:13 BCP107"]],
  ["a misspelled function of a namespace suggests one", "var a = sys.concta('a')", ["1:13 BCP108"]],
  ["a function is no value", "var a = concat", ["1:9 BCP063"]],
  ["a decorator is no function", "var a = secure()", ["1:9 BCP057"]],
  ["a variable cannot be called", "var a = 1\nvar b = a()", ["2:9 BCP059"]],
  ["a variable that hides a function names it", "var concat = 1\nvar b = concat('a')", ["2:9 BCP265"]],
  ["a type is no value", "type t = string\nvar a = t\nvar b = int", ["2:9 BCP288", "3:9 BCP288"]],
  ["a value is no type", "var v = 1\nparam p v", ["2:9 BCP287"]],
  ["an unknown type is reported on its name", "param p nope", ["1:9 BCP302"]],
  ["a namespace is no type", "param p sys", ["1:9 BCP306"]],
  ["types of a namespace can be qualified", "param p sys.string\nparam q sys.strin", ["2:13 BCP083"]],
  ["outputs cannot be used", "output o string = 'a'\nvar v = o", ["2:9 BCP057"]],
  [
    "duplicates are reported on every name",
    "var a = 1\nparam a string\ntype a = int",
    ["1:5 BCP028", "2:7 BCP028", "3:6 BCP028"],
  ],
  ["outputs have names of their own", "var a = 1\noutput a int = 1", []],
  ["outputs are declared once", "output a int = 1\noutput a int = 2", ["1:8 BCP145", "2:8 BCP145"]],
  ["metadata is declared once", "metadata a = 1\nmetadata a = 2", ["1:10 BCP145", "2:10 BCP145"]],
  ["names that differ only in case are reported", "param aB string\nparam Ab string", ["1:7 BCP353", "2:7 BCP353"]],
  ["names of different kinds may differ in case", "param aB string\nvar Ab = 1", []],
  ["loop variables are distinct", "var a = [for (x, x) in []: 1]", ["1:15 BCP028", "1:18 BCP028"]],
  ["nested resources of one body are distinct", nestedTwice(), ["3:12 BCP028", "6:12 BCP028"]],
  ["namespaces cannot be declared", "var sys = 1\nvar a = [for az in []: 1]", ["1:5 BCP084", "2:14 BCP084"]],
  ["this is reserved at the top", "var this = 1", ["1:5 BCP084"]],
  ["a variable named copy is reserved", "var Copy = 1", ["1:5 BCP239"]],
  ["a type named resource is reserved", "type resource = string", ["1:6 BCP301"]],
  ["metadata with an underscore is reserved", "metadata _x = 1", ["1:10 BCP268"]],
  ["targetScope is set once", "targetScope = 'tenant'\ntargetScope = 'tenant'", ["1:1 BCP112", "2:1 BCP112"]],
  ["targetScope is one of the scopes", "targetScope = 'planet'", ["1:15 BCP033"]],
  ["a namespace cannot be kept in a variable", "var a = az", ["1:9 BCP041"]],
  [
    "functions that have operators are not available",
    "var a = add(1, 2)\nvar b = sys.if(true, 1, 2)",
    ["1:9 BCP069", "2:13 BCP100"],
  ],
  [
    "functions that have syntax are not available",
    "var a = [variables(), parameters(), createArray(), createObject()]",
    ["1:10 BCP060", "1:23 BCP061", "1:37 BCP101", "1:52 BCP102"],
  ],
  ["a nested resource is reached through its parent", nestedAccess("p::c.id"), []],
  ["an unknown nested resource is reported", nestedAccess("p::d.id"), ["8:12 BCP159"]],
  ["only resources have nested ones", "var a = 1\nvar b = a::c", ["2:12 BCP158"]],
  [
    "a function sees variables but no parameters",
    "var v = 'a'\nparam p string\nfunc f() string => '${v}${p}'",
    ["3:27 BCP057"],
  ],
  ["defaults use parameters only", "var v = 'a'\nparam p string = v\nparam q string = p", ["2:18 BCP072"]],
  ["a local name hides an outer one", "param x string\nvar a = [for x in [1]: x + 1]", []],
  ["a variable of itself is a cycle", "var a = a", ["1:9 BCP079"]],
  ["a chain of variables is a cycle", "var a = b\nvar b = [a]", ["1:9 BCP080", "2:10 BCP080"]],
  ["a cycle seen from outside is invalid", "var a = a\nvar b = a", ["1:9 BCP079", "2:9 BCP062"]],
  [
    "functions that call each other are a cycle",
    "func f() int => g()\nfunc g() int => f()",
    ["1:17 BCP080", "2:17 BCP080"],
  ],
  ["a parent that uses its nested resource is a cycle", nestedAccess("1", "c.id"), ["3:9 BCP080"]],
  [
    "uses of something invalid say so once",
    "var a = nope\nvar b = a\nvar c = b",
    ["1:9 BCP057", "2:9 BCP062", "3:9 BCP062"],
  ],
  [
    "functions have their places",
    "var a = newGuid()\nparam p string = utcNow()\nparam q object = reference('a')",
    ["1:9 BCP065", "3:18 BCP066"],
  ],
];

for (const [rule, source, found, options] of rows) {
  it(rule, () => {
    assert.deepEqual(checkSource(source, options), found);
  });
}

function nestedTwice(): string {
  return `resource p 'A.B/c@2020-01-01' = {
  name: 'p'
  resource x 'd' = {
    name: 'x'
  }
  resource x 'd' = {
    name: 'y'
  }
}`;
}

function nestedAccess(value: string, kind = "'here'"): string {
  return `resource p 'A.B/c@2020-01-01' = {
  name: 'p'
  kind: ${kind}
  resource c 'd' = {
    name: 'c'
  }
}
var a = ${value}`;
}
