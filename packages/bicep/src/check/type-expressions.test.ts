import assert from "node:assert/strict";
import { it } from "node:test";
import { checkSource } from "./testing/check-source.ts";
import type { Row } from "./testing/check-source.ts";

const object = "type o = { x: string, y: [int, string], z: string[], *: int }\n";

const mixed = "type m = 'a' | 1\n";

const rows: readonly Row[] = [
  ["null alone is no type", "type t = null", ["1:10 BCP289"]],
  ["null may be one of several", "type t = 'a' | null", []],
  ["literals of one kind make a union", "type t = 'a' | 'b'\ntype u = -1 | 2\ntype v = true | !true", []],
  ["literals of several kinds do not", "type t = 'a' | 1\ntype u = null | null", ["1:10 BCP294", "2:10 BCP294"]],
  ["they do as items of an array", "type t = ('a' | 1)[]", []],
  ["members of a union are literals", "type t = string | 'a'", ["1:10 BCP293"]],
  ["keys of a type are distinct", "type t = { a: int, a: int }", ["1:12 BCP025", "1:20 BCP025"]],
  ["keys of a type differ in more than case", "type t = { a: int, A: int }", ["1:12 BCP353", "1:20 BCP353"]],
  ["keys of a type are plain text", "type t = { '${1}': int }", ["1:12 BCP296"]],
  ["a type is open for one type only", "type t = { *: int, *: int }", ["1:12 BCP315", "1:20 BCP315"]],
  ["an interpolated literal that is known is a literal", "type t = 'a${1}'", []],
  ["an interpolated literal that is unknown is none", "param p string\ntype t = 'a${p}'", ["2:10 BCP285"]],
  ["a type that is itself is a cycle", "type t = t", ["1:6 BCP298"]],
  ["types that are each other are a cycle", "type t = u\ntype u = t?", ["1:6 BCP299", "2:6 BCP299"]],
  ["a required property of its own type is a cycle", "type t = { a: t }\nparam p t", ["1:6 BCP298", "2:9 BCP062"]],
  ["items of its own type are a cycle", "type t = { a: t[] }\ntype u = u[]", ["1:6 BCP298", "2:6 BCP298"]],
  ["an optional property is a way out", "type t = { a: t?, b: (t?)[], c: t[]?, *: t }", []],
  ["members of a type can be taken", `${object}type t = o.x\ntype u = o.y[1]\ntype v = o.z[*]\ntype w = o.*`, []],
  ["unknown members are reported", `${object}type t = o.nope`, ["2:12 BCP053"]],
  ["members of what has none are reported", `${object}type t = o.x.y\ntype u = o.x[0]`, ["2:14 BCP055", "3:14 BCP388"]],
  [
    "places outside of a tuple are reported",
    `${object}type t = o.y[2]\ntype u = o.y[-1]`,
    ["2:14 BCP311", "3:14 BCP387"],
  ],
  ["items of what has none are reported", `${object}type t = o.y[*]`, ["2:13 BCP390"]],
  ["other properties of a closed type are reported", "type o = { a: int }\ntype t = o.*", ["2:12 BCP389"]],
  ["only named types have members", "type t = { a: int }.a", ["1:10 BCP391"]],
  ["a tagged union tells its members apart", tagged("{ kind: 'a' } | { kind: 'b' }"), []],
  [
    "a tagged union may contain another",
    `${tagged("{ kind: 'a' } | { kind: 'b' }")}\n${tagged("t | ({ kind: 'c' } | { kind: 'd' })", "u")}`,
    [],
  ],
  ["members need the tag", tagged("{ kind: 'a' } | { kond: 'b' }"), ["2:26 BCP364"]],
  ["the tag is required", tagged("{ kind: 'a' } | { kind: 'b'? }"), ["2:26 BCP364"]],
  ["tags differ in more than case", tagged("{ kind: 'a', x: int } | { kind: 'A' }"), ["2:34 BCP365"]],
  ["members of a tagged union are objects", tagged("{ kind: 'a' } | 'b'"), ["2:26 BCP286"]],
  ["only unions have a discriminator", tagged("{ kind: 'a' }"), ["1:1 BCP363"]],
  [
    "a tuple or an array of unions has no discriminator, and its members are no literals",
    `${tagged("[{ kind: 'a', x: int } | { kind: 'b', x: int }]")}\n${tagged("({ kind: 'a', x: int } | { kind: 'b', x: int })[]", "u")}`,
    [
      "1:1 BCP124",
      "1:1 BCP363",
      "2:11 BCP293",
      "2:35 BCP293",
      "3:1 BCP124",
      "3:1 BCP363",
      "4:11 BCP293",
      "4:35 BCP293",
    ],
  ],
  [
    "a tuple with errors is a tuple to its decorators",
    "@minValue(1)\ntype t = ([nope])?\n@minLength(1)\ntype u = [nope]",
    ["1:1 BCP124", "2:12 BCP302", "4:11 BCP302"],
  ],
  ["an array has no discriminator", tagged("string[]"), ["1:1 BCP124", "1:1 BCP363"]],
  [
    "a discriminator is not changed by an alias",
    "@discriminator('kind')\ntype t = { kind: 'a' } | { kind: 'b' }\n@discriminator('other')\ntype u = t",
    ["3:1 BCP366"],
  ],
  [
    "a union of a refused union is refused too",
    `${mixed}type t = m | true\ntype u = 'b' | (m)`,
    ["1:10 BCP294", "2:10 BCP294", "3:10 BCP294"],
  ],
  ["a refused union is judged by its members as an item, too", `${mixed}type t = (m | 'b')[]`, ["1:10 BCP294"]],
  [
    "a union of a union that is not of literals is refused at that member",
    "type m = string | 'a'\ntype t = m | 'b'",
    ["1:10 BCP293", "2:10 BCP293"],
  ],
  [
    "a refused union can be used nowhere else",
    `${mixed}param p m\ntype t = { a: m }\ntype u = [m]\ntype v = m?`,
    ["1:10 BCP294", "2:9 BCP062", "3:15 BCP062", "4:11 BCP062", "5:10 BCP062"],
  ],
  [
    "an array of a type with errors needs no further word",
    `${mixed}type r = { a: r }\ntype t = r[]\ntype u = (m?)[][]\nparam p t\noutput o u = []`,
    ["1:10 BCP294", "2:6 BCP298"],
  ],
  ["an array of an unknown type is an array", "type t = nope[]\nparam p t\noutput o t = p", ["1:10 BCP302"]],
  [
    "properties of an object in an array still name types without errors",
    `${mixed}type t = { a: m }[]`,
    ["1:10 BCP294", "2:15 BCP062"],
  ],
  [
    "a union that contains itself",
    "type t = t | 'a'\ntype u = 'a' | (u)\ntype v = v | v | null",
    ["1:6 BCP298", "1:10 BCP293", "2:6 BCP298", "2:16 BCP293", "3:6 BCP298", "3:10 BCP293", "3:14 BCP293"],
  ],
  [
    "unions that contain each other",
    "type t = u | 'a'\ntype u = 'b' | t?",
    ["1:6 BCP299", "1:10 BCP293", "2:6 BCP299", "2:16 BCP293"],
  ],
  ["null is no member of a tagged union", tagged("{ kind: 'a' } | { kind: 'b' } | null"), ["2:42 BCP286"]],
  ["a tagged union may be null as a whole", tagged("({ kind: 'a' } | { kind: 'b' })?"), []],
  ["a tagged union is no member of itself", tagged("{ kind: 'a' } | t"), ["2:6 BCP298", "2:26 BCP286"]],
  [
    "a tagged union that may be null is no member of itself",
    tagged("({ kind: 'a' } | t)?"),
    ["2:6 BCP298", "2:27 BCP286"],
  ],
  [
    "tagged unions are no members of each other",
    `${tagged("{ kind: 'a' } | u")}\n${tagged("{ kind: 'b' } | (t)", "u")}`,
    ["2:6 BCP299", "2:26 BCP286", "4:6 BCP299", "4:26 BCP286"],
  ],
  [
    "members that contain the tagged union are objects all the same",
    `${tagged("{ kind: 'a' } | { kind: 'b', x: t }")}\ntype h = { kind: 'c', x: u }\n${tagged("{ kind: 'a' } | h", "u")}`,
    ["2:6 BCP298", "3:6 BCP299", "5:6 BCP299"],
  ],
  [
    "a discriminator with wrong arguments is one",
    "@discriminator()\ntype t = { kind: 'a' } | { kind: 'b' }\n@sys.discriminator(1)\ntype u = 'a' | { kind: 'b' }\nparam p {\n  @discriminator(nope)\n  a: { kind: 'a' } | { kind: 'b' }\n}",
    ["1:15 BCP071", "3:20 BCP070", "6:18 BCP057"],
  ],
  ["a parameter without a type is any", "func f(x) string => '${x.y}${toLower(x)}'", []],
  ["a parameter of a wrong type has errors", "func f(x nope) string => x", ["1:26 BCP062"]],
  ["resource types are derived by property", "param p resourceInput<'A.B/c@2020-01-01'>.properties", []],
  ["a whole resource is no type", "type t = resourceInput<'A.B/c@2020-01-01'>", ["1:10 BCP394"]],
  [
    "a derived type names its resource",
    "type t = resourceInput\ntype u = resourceInput<>",
    ["1:10 BCP384", "2:23 BCP071"],
  ],
  [
    "a derived type needs a valid text",
    "type t = resourceInput<'x'>.a\ntype u = resourceInput<1>.a",
    ["1:24 BCP029", "2:24 BCP070"],
  ],
  ["the old derived type is deprecated", "type t = resource<'A.B/c@2020-01-01'>.name", ["1:10 BCP409W"]],
  ["other types take no arguments", "type t = string<'a'>", ["1:10 BCP383"]],
  ["resource types of parameters are a feature", "param p resource 'A.B/c@2020-01-01'", ["1:9 BCP231"]],
  ["a nullable parameter has no default", "param p string? = 'a'", ["1:17 BCP326"]],
];

for (const [rule, source, found, options] of rows) {
  it(rule, () => {
    assert.deepEqual(checkSource(source, options), found);
  });
}

function tagged(type: string, name = "t"): string {
  return `@discriminator('kind')\ntype ${name} = ${type}`;
}
