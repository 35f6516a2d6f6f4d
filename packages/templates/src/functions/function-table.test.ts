import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonValue } from "@rad/core";
import { evaluateDocument } from "../expressions/evaluate.ts";
import { parseTemplateString } from "../expressions/expression-parser.ts";
import type { Expression } from "../expressions/expression.ts";
import type { TemplateErrorCode } from "../template-error.ts";
import { toJson } from "../values/json-conversion.ts";
import { pureFunctions } from "./pure-functions.ts";

/** Each expression with its value. */
const results: readonly (readonly [expression: string, value: JsonValue])[] = [
  // Literals and logic
  ["[true()]", true],
  ["[false()]", false],
  ["[null()]", null],
  ["[not(false())]", true],
  ["[and(true(), true(), true())]", true],
  ["[and(true())]", true],
  ["[or(false(), true())]", true],
  ["[or(false())]", false],
  ["[if(true(), 'yes', 'no')]", "yes"],
  ["[coalesce(null(), '', 'x')]", ""],
  ["[coalesce(null())]", null],
  ["[equals('a', 'A')]", false],
  ["[equals(1, '1')]", false],
  ["[equals(1, json('1.0'))]", false],
  ["[equals(null(), null())]", true],
  ['[equals(json(\'{"a":1,"b":[2]}\'), json(\'{"b":[2],"a":1}\'))]', true],
  ["[equals(createObject('a', 1), createObject('A', 1))]", false],
  ["[equals(createArray(1, 2), createArray(2, 1))]", false],
  ["[less('a', 'A')]", true],
  ["[less('B', 'a')]", false],
  ["[less(9223372036854775806, 9223372036854775807)]", true],
  ["[lessOrEquals('demo', 'demo')]", true],
  ["[lessOrEquals(3, 2)]", false],
  ["[greater('b', 'A')]", true],
  ["[greater(2, 1)]", true],
  ["[greaterOrEquals('A', 'a')]", true],
  ["[greaterOrEquals(-1, 0)]", false],

  // Numbers
  ["[add(-2, 3)]", 1],
  ["[sub(2, 3)]", -1],
  ["[mul(-4, 5)]", -20],
  ["[div(7, 2)]", 3],
  ["[div(-7, 2)]", -3],
  ["[mod(7, 3)]", 1],
  ["[mod(-7, 3)]", -1],
  ["[string(add(9223372036854775806, 1))]", "9223372036854775807"],
  ["[min(3, 1, 2)]", 1],
  ["[min(createArray(3, -1, 2))]", -1],
  ["[max(3, 1, 2)]", 3],
  ["[max(createArray(3))]", 3],
  ["[range(3, 4)]", [3, 4, 5, 6]],
  ["[range(-1, 2)]", [-1, 0]],
  ["[range(5, 0)]", []],
  ["[last(range(2147473647, 10000))]", 2147483646],
  ["[int('42')]", 42],
  ["[int(' -7 ')]", -7],
  ["[int(7)]", 7],
  ["[float('1.5')]", 1.5],
  ["[float(2)]", 2],
  ["[float(json('0.25'))]", 0.25],
  ["[bool('tRUE')]", true],
  ["[bool('false')]", false],
  ["[bool(0)]", false],
  ["[bool(-3)]", true],
  ["[bool(true())]", true],

  ["[mod(7, -2)]", 1],
  ["[mod(-9223372036854775808, -1)]", 0],
  ["[string(sub(-9223372036854775807, 1))]", "-9223372036854775808"],
  ["[bool(' true ')]", true],
  ["[float('-.5')]", -0.5],

  // Strings
  ["[format('{0}/{1}', 'a', 1)]", "a/1"],
  ["[format('{0}{1}', true(), null())]", "True"],
  ["[format('{{{0}}}', 1)]", "{1}"],
  ["[format('{0}', json('{\"a\":[true,1.5,\"it''s\"]}'))]", "{'a':[true,1.5,'it\\'s']}"],
  ["[format('{0,4}|{0,-4}|', 'ab')]", "  ab|ab  |"],
  ["[format('{0:N0} {1:D3} {2:X}', 8175133, 7, 255)]", "8,175,133 007 FF"],
  ["[format('{0:D3}', 'text')]", "text"],
  ["[format('no items')]", "no items"],
  ["[format('{{{0:D2}}}', 7)]", "{07}"],
  ["[format('{0 }|{0 , 5 }|{0:}|', 5)]", "5|    5|5|"],
  ["[format('{0} {1}', createArray(), createObject())]", "[] {}"],
  ["[string('x')]", "x"],
  ["[string(-5)]", "-5"],
  ["[string(true())]", "True"],
  ["[string(null())]", ""],
  ["[string(json('1.5'))]", "1.5"],
  ["[string(json('[1e16, 0.00001, 1.0]'))]", "[1E+16,1E-05,1.0]"],
  ["[string(createObject('b', createArray(1, true(), null()), 'a', 'q\"'))]", '{"b":[1,true,null],"a":"q\\""}'],
  ["[toLower('ÀB')]", "àb"],
  ["[toUpper('straße')]", "STRAßE"],
  ["[trim('\u0085\u2003 a b \t')]", "a b"],
  ["[startsWith('Hello', 'hE')]", true],
  ["[startsWith('Hello', 'lo')]", false],
  ["[endsWith('Hello', 'LO')]", true],
  ["[endsWith('lo', 'Hello')]", false],
  ["[like('', '***')]", true],
  ["[like('aXbYa', 'A*b*a')]", true],
  ["[like('ab', 'a*b*b')]", false],
  ["[like('abc', 'abc')]", true],
  ["[like('abcd', 'abc')]", false],
  ["[like('a?c', 'a?c')]", true],
  ["[like('abc', 'a?c')]", false],
  ["[padLeft('7', 3, '0')]", "007"],
  ["[padLeft(7, 3)]", "  7"],
  ["[padLeft('1234', 3)]", "1234"],
  ["[replace('aXbXc', 'X', '')]", "abc"],
  ["[replace('abc', 'B', 'x')]", "abc"],
  ["[split('a,b;;c', createArray(',', ';'))]", ["a", "b", "", "c"]],
  ["[split('', ',')]", [""]],
  ["[split('a--b', '--')]", ["a", "b"]],
  ["[split('abc', '')]", ["abc"]],
  ["[split('abc', createArray())]", ["abc"]],
  ["[substring('hello', 1, 3)]", "ell"],
  ["[substring('hello', 0, 2)]", "he"],
  ["[substring('hello', 5)]", ""],
  ["[join(createArray('a', 1, true()), '-')]", "a-1-True"],
  ["[join(createArray(), ',')]", ""],

  ["[replace('aaa', 'aa', 'b')]", "ba"],
  ["[replace('a.b', '.', '$&')]", "a$&b"],
  ["[split('a|b||c|', '|')]", ["a", "b", "", "c", ""]],
  ["[split('a,b', createArray(',', ',b'))]", ["a", "b"]],
  ["[padLeft(-5, 4, '0')]", "00-5"],
  ["[startsWith('abc', '')]", true],
  ["[endsWith('ß', 'SS')]", false],
  ["[toLower('İIΣ')]", "İiσ"],

  // Encodings
  ["[base64('hé')]", "aMOp"],
  ["[base64ToString('aMOp')]", "hé"],
  ["[base64ToString('aM\nOp')]", "hé"],
  ["[base64ToJson(base64('{''a'': 1}'))]", { a: 1 }],
  ["[json('[1, 2.5, \"x\", null,]')]", [1, 2.5, "x", null]],
  ["[json('{a: ''b'', /* no */ \"c\": true} // end')]", { a: "b", c: true }],
  ["[string(json('9223372036854775807'))]", "9223372036854775807"],
  ["[dataUri('Hello')]", "data:text/plain;charset=utf-8;base64,SGVsbG8="],
  ["[dataUri(createArray(1))]", "data:application/json;charset=utf-8;base64,WzFd"],
  ["[dataUriToString('data:text/plain;charset=utf8;base64,SGVsbG8=')]", "Hello"],
  ["[dataUriToString('data:,a%20b')]", "a b"],
  ["[uriComponent('a b*(é)~')]", "a%20b%2A%28%C3%A9%29~"],
  ["[uriComponentToString('a%20b%C3%A9')]", "a bé"],
  ["[uriComponentToString('100%zz%FF')]", "100%zz%FF"],

  ["[base64ToString('')]", ""],
  ["[dataUriToString('DATA:;BASE64,aGk=')]", "hi"],
  ["[json('/**/null/**/')]", null],
  ["[uriComponentToString('a+b%f0%9f%98%80')]", "a+b😀"],

  // URIs
  ["[uri('https://example.com/a/b', 'c')]", "https://example.com/a/c"],
  ["[uri('https://example.com/a/b/', 'c')]", "https://example.com/a/b/c"],
  ["[uri('https://example.com/a/b', '/c')]", "https://example.com/c"],
  [
    "[parseUri('https://example.com:81/p?q=1')]",
    { scheme: "https", host: "example.com", port: 81, path: "/p", query: "?q=1" },
  ],
  ["[parseUri('http://example.com')]", { scheme: "http", host: "example.com", port: 80, path: "/" }],
  [
    "[buildUri(createObject('Scheme', 'https', 'host', 'example.com', 'port', 444, 'path', 'x', 'query', 'a=1'))]",
    "https://example.com:444/x?a=1",
  ],
  ["[buildUri(createObject('scheme', 'https', 'host', 'example.com', 'port', null()))]", "https://example.com/"],

  ["[uri('https://EXAMPLE.com:443/a/b?q=1', '../c')]", "https://example.com/c"],
  ["[uri('https://example.com/a/', '//other.example/x')]", "https://other.example/x"],

  // Collections
  ["[concat('a', 1, true())]", "a1True"],
  ["[concat(createArray(1), createArray(), createArray(2))]", [1, 2]],
  ["[contains('abc', 'B')]", false],
  ["[contains('abc', 'b')]", true],
  ["[contains(createArray('a', createArray(1)), createArray(1))]", true],
  ["[contains(createArray('a'), 'A')]", false],
  ["[contains(createObject('a', null()), 'A')]", true],
  ["[empty(null())]", true],
  ["[empty('')]", true],
  ["[empty(createArray())]", true],
  ["[empty(createObject('a', 1))]", false],
  ["[length('a😀')]", 3],
  ["[length(createObject('a', 1, 'b', 2))]", 2],
  ["[length(createArray())]", 0],
  ["[first('')]", ""],
  ["[first(createArray())]", null],
  ["[first('abc')]", "a"],
  ["[last('abc')]", "c"],
  ["[last(createArray(1, 2))]", 2],
  ["[skip('abc', 1)]", "bc"],
  ["[skip(createArray(1, 2), -1)]", [1, 2]],
  ["[skip(createArray(1, 2), 9223372036854775807)]", []],
  ["[take('abc', 2)]", "ab"],
  ["[take(createArray(1, 2), 0)]", []],
  ["[take(createArray(1, 2), 9)]", [1, 2]],
  ["[indexOf('aBAB', 'b')]", 1],
  ["[indexOf('straße', 'E')]", 5],
  ["[indexOf(createArray('a', 'b'), 'B')]", -1],
  ["[lastIndexOf('aBAB', 'b')]", 3],
  ["[lastIndexOf(createArray(1, 2, 1), 1)]", 2],

  ["[lastIndexOf('abc', '')]", 3],
  ["[contains(createArray(null()), null())]", true],
  ["[contains(createObject(), '')]", false],

  // Arrays
  ["[array(createArray(1))]", [1]],
  ["[array(null())]", [null]],
  ["[createArray()]", []],
  ["[createArray(1, 'a', null())]", [1, "a", null]],
  ["[distinct(createArray(1, '1', 1, createObject('a', 1), createObject('a', 1)))]", [1, "1", { a: 1 }]],
  ["[flatten(createArray(createArray(1, createArray(2)), createArray()))]", [1, [2]]],
  ["[union(createArray(1, 2, 2), createArray(3, 1))]", [1, 2, 3]],
  [
    "[union(createObject('a', createObject('x', 1)), createObject('A', createObject('y', 2), 'b', null()))]",
    { a: { x: 1, y: 2 }, b: null },
  ],
  ["[union(createObject('a', createArray(1)), createObject('a', createArray(2)))]", { a: [2] }],
  ["[intersection(createArray(3, 1, 2, 1), createArray(1, 3))]", [3, 1]],
  [
    "[intersection(createObject('a', 1, 'b', createObject('x', 1, 'y', 2)), createObject('A', 1, 'b', createObject('y', 2)))]",
    { a: 1, b: { y: 2 } },
  ],
  ["[intersection(createObject('a', 1), createObject('a', 2))]", {}],

  // Objects
  ["[createObject()]", {}],
  ["[createObject('a', 1, 'A', 2)]", { a: 2 }],
  [
    "[items(createObject('b', 1, 'A', 2))]",
    [
      { key: "A", value: 2 },
      { key: "b", value: 1 },
    ],
  ],
  [
    '[map(items(json(\'{"B":1,"b":2,"1":3,"a":4}\')), lambda(\'i\', lambdaVariables(\'i\').key))]',
    ["1", "a", "b", "B"],
  ],
  ["[objectKeys(createObject('b', 1, 'a', 2))]", ["a", "b"]],
  [
    "[shallowMerge(createArray(createObject('A', createObject('x', 1)), createObject('a', createObject('y', 2))))]",
    { A: { y: 2 } },
  ],
  ["[shallowMerge(createArray())]", {}],

  // Access
  ["[tryGet(createObject('a', createArray(1, 2)), 'A', 1)]", 2],
  ["[tryGet(createObject('a', 1), 'b', fail('not read'))]", null],
  ["[tryGet(null(), 'a')]", null],
  ["[tryGet(createArray(1), -1)]", null],
  ["[tryGet(createArray(1, 2), createObject('value', 1, 'fromEnd', true()))]", 2],
  ["[indexFromEnd(createArray(1, 2, 3), 1)]", 3],
  ["[tryIndexFromEnd(createArray(1, 2, 3), 3)]", 1],
  ["[tryIndexFromEnd(createArray(1), 0)]", null],
  ["[tryIndexFromEnd(createArray(createObject('a', 5)), 1, 'a')]", 5],
  ["[tryIndexFromEnd(null(), 1)]", null],

  // Lambdas
  ["[map(createArray(1, 2), lambda('x', mul(lambdaVariables('X'), 2)))]", [2, 4]],
  ["[map(createArray('a', 'b'), lambda('x', 'i', concat(lambdaVariables('x'), lambdaVariables('i'))))]", ["a0", "b1"]],
  ["[filter(range(0, 5), lambda('x', 'i', equals(mod(lambdaVariables('i'), 2), 0)))]", [0, 2, 4]],
  ["[reduce(createArray(1, 2, 3), 10, lambda('a', 'x', sub(lambdaVariables('a'), lambdaVariables('x'))))]", 4],
  ["[reduce(createArray(5, 5), 0, lambda('a', 'x', 'i', add(lambdaVariables('a'), lambdaVariables('i'))))]", 1],
  ["[reduce(createArray(), 'seed', lambda('a', 'x', 1))]", "seed"],
  [
    "[sort(createArray('b1', 'a1', 'b2', 'a2'), lambda('l', 'r', less(first(lambdaVariables('l')), first(lambdaVariables('r')))))]",
    ["a1", "a2", "b1", "b2"],
  ],
  [
    "[toObject(createArray('a', 'b'), lambda('x', lambdaVariables('x')), lambda('x', toUpper(lambdaVariables('x'))))]",
    { a: "A", b: "B" },
  ],
  ["[toObject(createArray('a', 'A'), lambda('x', lambdaVariables('x')))]", { a: "A" }],
  ["[groupBy(createArray('ab', 'b', 'Ac'), lambda('x', first(lambdaVariables('x'))))]", { a: ["ab", "Ac"], b: ["b"] }],
  ["[groupBy(createArray('ab'), lambda('x', 'k'), lambda('x', length(lambdaVariables('x'))))]", { k: [2] }],
  ["[mapValues(createObject('a', 1, 'b', 2), lambda('v', add(lambdaVariables('v'), 1)))]", { a: 2, b: 3 }],

  ["[map(createArray(1), lambda('x', map(createArray(10), lambda('x', lambdaVariables('x')))))]", [[10]]],
  ["[reduce(createArray(1), null(), lambda('a', 'b', lambdaVariables('a')))]", null],
  [
    "[sort(createArray(3, 1, 2), lambda('a', 'b', lessOrEquals(lambdaVariables('a'), lambdaVariables('b'))))]",
    [1, 2, 3],
  ],

  // Dates
  ["[dateTimeAdd('2020-02-29T00:00:00Z', 'P1Y')]", "2021-02-28T00:00:00Z"],
  ["[dateTimeAdd('2020-02-28T23:59:59.9999999Z', 'PT0.0000001S', 'o')]", "2020-02-29T00:00:00.0000000Z"],
  ["[dateTimeFromEpoch(-62135596800)]", "0001-01-01T00:00:00Z"],
  ["[dateTimeAdd('2023-01-31 00:00:00Z', 'P1M')]", "2023-03-02T00:00:00Z"],
  ["[dateTimeAdd('2024-01-01T00:00:00Z', 'P1Y')]", "2024-12-31T00:00:00Z"],
  ["[dateTimeAdd('2020-04-07T14:53:14Z', '-P9DT1H2M3S')]", "2020-03-29T13:51:11Z"],
  ["[dateTimeAdd('2020-04-07T02:00:00+02:00', 'P2W', 'yyyy/MM/dd HH:mm')]", "2020/04/21 00:00"],
  ["[dateTimeAdd('20200407T145314Z', 'PT0.5S', 'o')]", "2020-04-07T14:53:14.5000000Z"],
  ["[dateTimeAdd('2020-04-07', 'PT0S', 'dddd, d MMM yy')]", "Tuesday, 7 Apr 20"],
  ["[dateTimeFromEpoch(1683040573)]", "2023-05-02T15:16:13Z"],
  ["[dateTimeFromEpoch(-1)]", "1969-12-31T23:59:59Z"],
  ["[dateTimeToEpoch('2023-05-02T15:16:13.9Z')]", 1683040573],
  ["[dateTimeToEpoch('1969-12-31T23:59:58.5Z')]", -2],

  // Networks
  [
    "[parseCidr('10.144.7.9/20')]",
    {
      network: "10.144.0.0",
      netmask: "255.255.240.0",
      broadcast: "10.144.15.255",
      firstUsable: "10.144.0.1",
      lastUsable: "10.144.15.254",
      cidr: 20,
    },
  ],
  [
    "[parseCidr('fdad:3236:5555::/48')]",
    {
      network: "fdad:3236:5555::",
      netmask: "ffff:ffff:ffff::",
      firstUsable: "fdad:3236:5555::",
      lastUsable: "fdad:3236:5555:ffff:ffff:ffff:ffff:ffff",
      cidr: 48,
    },
  ],
  ["[parseCidr('::ffff:10.0.0.1/128').network]", "::ffff:10.0.0.1"],
  ["[parseCidr('::10.0.0.1/128').network]", "::10.0.0.1"],
  ["[parseCidr('::ffff:0:10.0.0.1/128').network]", "::ffff:0:10.0.0.1"],
  ["[parseCidr('::ffff:0.0.0.5/128').network]", "::ffff:0:5"],
  ["[parseCidr('::1/128').network]", "::1"],
  ["[parseCidr('::/0').lastUsable]", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["[parseCidr('1:0:0:2:0:0:0:3/128').network]", "1:0:0:2::3"],
  ["[parseCidr('255.0.0.255/32').network]", "255.0.0.255"],
  ["[parseCidr('0.0.0.0/0').broadcast]", "255.255.255.255"],
  ["[cidrSubnet('10.144.0.0/20', 24, 15)]", "10.144.15.0/24"],
  ["[cidrSubnet('fdad:3236:5555::/48', 52, 1)]", "fdad:3236:5555:1000::/52"],
  ["[cidrHost('10.144.3.0/24', 253)]", "10.144.3.254"],
  ["[cidrHost('fdad:3236:5555:3000::/52', 0)]", "fdad:3236:5555:3000::1"],

  // Hashes
  ["[uniqueString('test')]", "rbgf3xv4ufgzg"],
  ["[uniqueString('snap', 'crackle', 'pop')]", "byghxckddilkc"],
  ["[guid('foo', 'bar', 'baz')]", "2ed86837-7c7c-5eaa-9864-dd077fd19b0d"],

  // Resource ids
  ["[resourceId('s', 'g', 'A.B/c/d', 'x', 'y')]", "/subscriptions/s/resourceGroups/g/providers/A.B/c/x/d/y"],
  ["[resourceId('s', 'g', 'A.B', 'c', 'x')]", "/subscriptions/s/resourceGroups/g/providers/A.B/c/x"],
  ["[subscriptionResourceId('s', 'A.B/c', 'x')]", "/subscriptions/s/providers/A.B/c/x"],
  [
    "[managementGroupResourceId('m', 'A.B/c', 'x')]",
    "/providers/Microsoft.Management/managementGroups/m/providers/A.B/c/x",
  ],
  ["[tenantResourceId('A.B/c', 'x')]", "/providers/A.B/c/x"],
  ["[extensionResourceId('/base', 'A.B/c', 'x')]", "/base/providers/A.B/c/x"],
];

/** Each expression with the code of its error. */
const failures: readonly (readonly [expression: string, code: TemplateErrorCode])[] = [
  ["[fail('no')]", "UserFailure"],
  ["[nowhere()]", "UnknownFunction"],
  ["[true(1)]", "WrongArgumentCount"],
  ["[and()]", "WrongArgumentCount"],
  ["[and(1)]", "WrongArgumentKind"],
  ["[or('true')]", "WrongArgumentKind"],
  ["[not(null())]", "WrongArgumentKind"],
  ["[if('true', 1, 2)]", "WrongArgumentKind"],
  ["[less(1, 'a')]", "WrongArgumentKind"],
  ["[less('a', 1)]", "WrongArgumentKind"],
  ["[greater(true(), false())]", "WrongArgumentKind"],
  ["[add(9223372036854775807, 1)]", "IntegerOverflow"],
  ["[sub(-9223372036854775808, 1)]", "IntegerOverflow"],
  ["[mul(4611686018427387904, 2)]", "IntegerOverflow"],
  ["[div(-9223372036854775808, -1)]", "IntegerOverflow"],
  ["[div(1, 0)]", "DivisionByZero"],
  ["[mod(1, 0)]", "DivisionByZero"],
  ["[add(1, json('1.5'))]", "WrongArgumentKind"],
  ["[max()]", "WrongArgumentCount"],
  ["[max(createArray())]", "InvalidArgument"],
  ["[min(1, 'a')]", "WrongArgumentKind"],
  ["[min(createArray('a'))]", "WrongArgumentKind"],
  ["[range(0, 10001)]", "InvalidArgument"],
  ["[range(0, -1)]", "InvalidArgument"],
  ["[range(2147483647, 1)]", "InvalidArgument"],
  ["[int('1.5')]", "InvalidArgument"],
  ["[int('9223372036854775808')]", "InvalidArgument"],
  ["[int(true())]", "WrongArgumentKind"],
  ["[float('x')]", "InvalidArgument"],
  ["[float('1e400')]", "InvalidArgument"],
  // In quadratic time this would take the better part of an hour.
  ["[float(padLeft('x', 1000000, '1'))]", "InvalidArgument"],
  ["[float(true())]", "WrongArgumentKind"],
  ["[bool('yes')]", "InvalidArgument"],
  ["[bool(null())]", "WrongArgumentKind"],
  ["[format('{1}', 'a')]", "InvalidArgument"],
  ["[format('{', 'a')]", "InvalidArgument"],
  ["[format('}', 'a')]", "InvalidArgument"],
  ["[format('{a}', 'a')]", "InvalidArgument"],
  ["[format('{ 0}', 'a')]", "InvalidArgument"],
  ["[format('{0,}', 'a')]", "InvalidArgument"],
  ["[format('{-1}', 'a')]", "InvalidArgument"],
  ["[format('{0:{{}', 1)]", "InvalidArgument"],
  ["[format(concat('{0:', padLeft('', 100000, '0'), '}'), 5)]", "InvalidArgument"],
  ["[format('{0:Q}', 1)]", "InvalidArgument"],
  ["[format('{0:D2}', json('1.5'))]", "InvalidArgument"],
  ["[format(1, 2)]", "WrongArgumentKind"],
  ["[padLeft('a', -1)]", "InvalidArgument"],
  ["[padLeft('a', 3, 'xy')]", "InvalidArgument"],
  ["[padLeft(true(), 3)]", "WrongArgumentKind"],
  ["[padLeft('a', 2000000000)]", "LimitExceeded"],
  ["[replace('a', '', 'b')]", "InvalidArgument"],
  ["[split('a', createArray(1))]", "WrongArgumentKind"],
  ["[substring('abc', 4)]", "InvalidArgument"],
  ["[substring('abc', -1)]", "InvalidArgument"],
  ["[substring('abc', 1, 3)]", "InvalidArgument"],
  ["[substring('abc', 1, -1)]", "InvalidArgument"],
  ["[join(createArray(null()), ',')]", "WrongArgumentKind"],
  ["[join('abc', ',')]", "WrongArgumentKind"],
  ["[toLower(1)]", "WrongArgumentKind"],
  ["[base64(1)]", "WrongArgumentKind"],
  ["[base64ToString('abc')]", "InvalidArgument"],
  ["[base64ToString('ab=c')]", "InvalidArgument"],
  ["[base64ToJson(base64('{'))]", "InvalidJson"],
  ["[json('')]", "InvalidJson"],
  ["[json('1 2')]", "InvalidJson"],
  ["[json('9223372036854775808')]", "InvalidJson"],
  ["[dataUriToString('hello')]", "InvalidArgument"],
  ["[dataUriToString('data:;base64,@')]", "InvalidArgument"],
  ["[uri('example.com', 'a')]", "InvalidArgument"],
  ["[uri('https://example.com', 'http://[')]", "InvalidArgument"],
  ["[uri('https://example.com', padLeft('', 8000000, 'é'))]", "LimitExceeded"],
  ["[parseUri('nothing')]", "InvalidArgument"],
  ["[buildUri(createObject('host', 'a'))]", "InvalidArgument"],
  ["[buildUri(createObject('scheme', 'https', 'host', 'a', 'port', '1'))]", "InvalidArgument"],
  ["[buildUri(createObject('scheme', 'https', 'host', 1))]", "InvalidArgument"],
  ["[concat('a', createArray('b'))]", "WrongArgumentKind"],
  ["[concat(createArray('b'), 'a')]", "WrongArgumentKind"],
  ["[concat('a', null())]", "WrongArgumentKind"],
  ["[contains(1, 1)]", "WrongArgumentKind"],
  ["[contains('a', 1)]", "WrongArgumentKind"],
  ["[empty(1)]", "WrongArgumentKind"],
  ["[length(null())]", "WrongArgumentKind"],
  ["[first(createObject())]", "WrongArgumentKind"],
  ["[take(1, 1)]", "WrongArgumentKind"],
  ["[skip('a', '1')]", "WrongArgumentKind"],
  ["[indexOf('a', 1)]", "WrongArgumentKind"],
  ["[indexOf(1, 1)]", "WrongArgumentKind"],
  ["[flatten(createArray(1))]", "WrongArgumentKind"],
  ["[union(createArray(), createObject())]", "WrongArgumentKind"],
  ["[union(1)]", "WrongArgumentKind"],
  ["[intersection('a', 'b')]", "WrongArgumentKind"],
  ["[intersection(createArray())]", "WrongArgumentCount"],
  ["[createObject('a')]", "InvalidArgument"],
  ["[createObject(1, 2)]", "WrongArgumentKind"],
  ["[createArray(lambda('x', 1))]", "WrongArgumentKind"],
  ["[items(createArray())]", "WrongArgumentKind"],
  ["[shallowMerge(createArray(null()))]", "WrongArgumentKind"],
  ["[tryGet(createArray(1), 'a')]", "WrongArgumentKind"],
  ["[tryGet('text', 'a')]", "WrongArgumentKind"],
  ["[tryGet(createObject(), null())]", "WrongArgumentKind"],
  ["[tryIndexFromEnd('abc', 1)]", "WrongArgumentKind"],
  ["[tryGet(createObject('a', 1), 0)]", "WrongArgumentKind"],
  ["[indexFromEnd(createArray(1), 2)]", "IndexOutOfRange"],
  ["[indexFromEnd(createArray(1), 0)]", "IndexOutOfRange"],
  ["[map(createArray(1), 1)]", "WrongArgumentKind"],
  ["[map(createArray(1), lambda('a', 'b', 'c', 1))]", "InvalidArgument"],
  ["[map(createArray(1), lambda(1))]", "InvalidArgument"],
  ["[filter(createArray(1), lambda('a', 1))]", "InvalidArgument"],
  ["[sort(createArray(1, 2), lambda('a', 'b', 1))]", "InvalidArgument"],
  ["[reduce(createArray(1), 0, lambda('a', 1))]", "InvalidArgument"],
  ["[toObject(createArray(1), lambda('a', 1))]", "InvalidArgument"],
  ["[groupBy(createArray(1), lambda('a', null()))]", "InvalidArgument"],
  ["[mapValues(createArray(1), lambda('a', 1))]", "WrongArgumentKind"],
  ["[lambda('a', 1)]", "WrongArgumentKind"],
  ["[lambda()]", "WrongArgumentCount"],
  ["[map(createArray(1), lambda(toLower('a'), 1))]", "WrongArgumentKind"],
  ["[lambdaVariables('a')]", "UnknownVariable"],
  ["[dateTimeAdd('yesterday', 'P1D')]", "InvalidArgument"],
  ["[dateTimeAdd('2023-02-30', 'P1D')]", "InvalidArgument"],
  ["[dateTimeAdd('2023-01-01', 'P')]", "InvalidArgument"],
  ["[dateTimeAdd('2023-01-01', 'P1.5D')]", "InvalidArgument"],
  ["[dateTimeAdd('2023-01-01', 'P-1D')]", "InvalidArgument"],
  ["[dateTimeAdd('2023-01-01', 'P1M1Y')]", "InvalidArgument"],
  ["[dateTimeAdd('9999-12-31T23:59:59Z', 'PT1S')]", "InvalidArgument"],
  ["[dateTimeAdd('2023-01-01', 'P1DT')]", "InvalidArgument"],
  ["[dateTimeAdd('2023-01-01', 'P1W1D')]", "InvalidArgument"],
  ["[dateTimeAdd('2023-01-01', 'P9000Y')]", "InvalidArgument"],
  ["[dateTimeAdd('2023-01-01', 'P1D', 'q')]", "InvalidArgument"],
  ["[dateTimeAdd('2023-01-01', 'P1D', padLeft('', 100000, 'd'))]", "InvalidArgument"],
  ["[dateTimeFromEpoch(9223372036854775807)]", "InvalidArgument"],
  ["[dateTimeToEpoch('2023-01-01T25:00:00Z')]", "InvalidArgument"],
  ["[parseCidr('10.0.0.0')]", "InvalidArgument"],
  ["[parseCidr('10.0.0.0/33')]", "InvalidArgument"],
  ["[parseCidr('10.0.0.256/8')]", "InvalidArgument"],
  ["[parseCidr('1::2::3/64')]", "InvalidArgument"],
  ["[parseCidr('1:2:3/64')]", "InvalidArgument"],
  ["[parseCidr('1.2.3.4::/64')]", "InvalidArgument"],
  ["[cidrSubnet('10.0.0.0/20', 16, 0)]", "InvalidArgument"],
  ["[cidrSubnet('10.0.0.0/20', 33, 0)]", "InvalidArgument"],
  ["[cidrSubnet('10.0.0.0/20', 24, 16)]", "InvalidArgument"],
  ["[cidrSubnet('10.0.0.0/20', 24, -1)]", "InvalidArgument"],
  ["[cidrHost('10.0.0.0/24', 254)]", "InvalidArgument"],
  ["[cidrHost('10.0.0.0/32', 0)]", "InvalidArgument"],
  ["[cidrHost('10.0.0.0/30', 2)]", "InvalidArgument"],
  ["[uniqueString()]", "WrongArgumentCount"],
  ["[uniqueString(1)]", "WrongArgumentKind"],
  ["[guid(null())]", "WrongArgumentKind"],
  ["[resourceId('A.B/c')]", "WrongArgumentCount"],
  ["[resourceId('A.B/c', 'x')]", "InvalidArgument"],
  ["[resourceId('a', 'b')]", "InvalidArgument"],
  ["[tenantResourceId('A.B/c/d', 'x')]", "InvalidArgument"],
  ["[subscriptionResourceId('s', 'g', 'A.B/c', 'x')]", "InvalidArgument"],
];

for (const [expression, value] of results) {
  it(`${expression} is ${JSON.stringify(value)}`, () => {
    assert.deepEqual(toJson(evaluateDocument(expression)), value);
  });
}

for (const [expression, code] of failures) {
  it(`${expression} fails with ${code}`, () => {
    assert.throws(() => evaluateDocument(expression), { name: "TemplateError", code });
  });
}

it("every pure function is in the table of results", () => {
  const called = new Set<string>();
  for (const [text] of results) {
    const parsed = parseTemplateString(text);
    if (parsed.kind === "expression") {
      collectCalls(parsed.expression, called);
    }
  }
  called.add("fail");

  const missing = [...pureFunctions.keys()].filter((name) => !called.has(name));

  assert.deepEqual(missing, []);
});

it("every pure function refuses one argument more than it takes, and one less", () => {
  for (const { name, minArgs, maxArgs } of pureFunctions.values()) {
    const counts = [minArgs - 1, maxArgs + 1].filter((count) => count >= 0 && count < Infinity);
    for (const count of counts) {
      const call = `[${name}(${Array.from({ length: count }, () => "'a'").join(", ")})]`;
      assert.throws(() => evaluateDocument(call), { code: "WrongArgumentCount" }, call);
    }
  }
});

function collectCalls(expression: Expression, into: Set<string>): void {
  if (expression.kind === "call") {
    into.add(expression.name.toLowerCase());
    expression.args.forEach((arg) => collectCalls(arg, into));
  } else if (expression.kind === "property" || expression.kind === "index") {
    collectCalls(expression.base, into);
  }
}
