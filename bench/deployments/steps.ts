import { Budget, evaluateExpression, fromJson, parseExpression, type Value } from "@rad/templates";
import type { JsonValue } from "@rad/core";
import { median, type Measurement } from "../report.ts";

/*
 * What a step of a template's budget takes, function by function: as small calls a thousand times over, and with large
 * arguments. No function must make its steps much dearer than others, or a template of nothing but that would take many
 * times as long as the budget promises.
 */

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

const values: Readonly<Record<string, JsonValue>> = {
  text: "abcdefghij".repeat(20_000),
  wide: "äöü€".repeat(50_000),
  quoted: '"\\\n'.repeat(60_000),
  nums: many(10_000, (at) => at),
  texts: many(10_000, (at) => `text${at}`),
  arrs: many(1_000, () => many(50, (at) => at)),
  objs: many(5_000, (at) => ({ a: at, b: `x${at}`, c: { d: true } })),
  objsb: many(5_000, (at) => ({ a: at, b: `x${at}`, c: { d: true } })),
  obj: Object.fromEntries(many(5_000, (at) => [`m${at}`, at])),
  obj2: Object.fromEntries(many(5_000, (at) => [`M${at + 2_500}`, { a: at }])),
  json: JSON.stringify(many(5_000, (at) => ({ a: at, b: `x${at}` }))),
  jsonempty: `[${"{},".repeat(20_000)}1]`,
  jsonnum: `[${"1,".repeat(40_000)}1]`,
  jsonstr: `["${"abc".repeat(40_000)}"]`,
  jsonesc: `["${"\\n".repeat(40_000)}"]`,
  b64: btoa("abcdef".repeat(20_000)),
  b64json: btoa(`[${"1,".repeat(40_000)}1]`),
};

/** `x` is the number of the call. */
const smallCalls: readonly string[] = [
  "1",
  "add(lambdaVariables('x'), 1)",
  "sub(mul(lambdaVariables('x'), 3), div(lambdaVariables('x'), 2))",
  "mod(lambdaVariables('x'), 7)",
  "min(lambdaVariables('x'), 3)",
  "max(1, 2, 3, lambdaVariables('x'))",
  "string(lambdaVariables('x'))",
  "concat('a', 'b', lambdaVariables('x'))",
  "format('{0}-{1}', lambdaVariables('x'), 'b')",
  "format('{0:N2}', lambdaVariables('x'))",
  "format('{0,20}', lambdaVariables('x'))",
  "if(equals(lambdaVariables('x'), 1), 'a', 'b')",
  "and(true(), not(false()), or(false(), true()))",
  "less(lambdaVariables('x'), 5)",
  "coalesce(null(), lambdaVariables('x'))",
  "createArray(1, 2, 3)",
  "createObject('a', 1, 'b', 2)",
  "createObject()",
  "array(1)",
  "int('123')",
  "bool('true')",
  "float('1.5')",
  "toLower('ABC')",
  "toUpper('abc')",
  "trim('  a ')",
  "substring('abcdef', 1, 2)",
  "startsWith('abc', 'a')",
  "endsWith('abc','c')",
  "replace('abcabc', 'a', 'x')",
  "split('a,b,c', ',')",
  "split('a,b;c', createArray(',', ';'))",
  "join(createArray('a','b'), ',')",
  "padLeft('1', 10, '0')",
  "indexOf('abcdef','e')",
  "contains('abcdef', 'e')",
  "contains(createArray(1,2),2)",
  "like('abc','a*c')",
  "first(createArray(1,2))",
  "last('abc')",
  "skip(createArray(1,2,3),1)",
  "take('abc',2)",
  "empty('')",
  "length('abc')",
  "uniqueString('a')",
  "guid('a')",
  "base64('abc')",
  "base64ToString('YWJj')",
  "base64ToJson('MQ==')",
  `json('{"a":1}')`,
  "dataUri('abc')",
  "dataUriToString('data:text/plain;base64,YWJj')",
  "uriComponent('a b/c')",
  "uriComponentToString('a%20b')",
  "uri('http://a.b/c','d')",
  "cidrSubnet('10.0.0.0/16', 24, 3)",
  "cidrHost('10.0.0.0/24', 3)",
  "parseCidr('10.0.0.0/24')",
  "parseCidr('fe80::1/64')",
  "dateTimeAdd('2020-01-01','P1D')",
  "dateTimeToEpoch('2020-01-01T00:00:00Z')",
  "dateTimeFromEpoch(1600000000)",
  "resourceId('00000000-0000-0000-0000-000000000000','g','A.B/c','d')",
  "tenantResourceId('A.B/c','d')",
  "extensionResourceId('/subscriptions/x/resourceGroups/y','A.B/c','d')",
  "subscriptionResourceId('00000000-0000-0000-0000-000000000000','A.B/c','d')",
  "managementGroupResourceId('g','A.B/c','d')",
  "items(createObject('a',1,'b',2))",
  "objectKeys(createObject('a',1,'b',2))",
  "union(createObject('a',1),createObject('b',2))",
  "union(createArray(1,2),createArray(2,3))",
  "intersection(createArray(1,2),createArray(2,3))",
  "intersection(createObject('a',1),createObject('a',1))",
  "distinct(createArray(1,2,2))",
  "flatten(createArray(createArray(1),createArray(2)))",
  "shallowMerge(createArray(createObject('a',1),createObject('b',2)))",
  "tryGet(createObject('a',1),'a')",
  "createObject('a',1).a",
  "createObject('a',1)['a']",
  "indexFromEnd(createArray(1,2),1)",
  "length(filter(createArray(1,2),lambda('y',true())))",
  "reduce(createArray(1,2,3),0,lambda('p','n',add(lambdaVariables('p'),lambdaVariables('n'))))",
  "sort(createArray(3,1,2),lambda('p','n',less(lambdaVariables('p'),lambdaVariables('n'))))",
  "toObject(createArray('a'),lambda('y',lambdaVariables('y')))",
  "groupBy(createArray('a'),lambda('y',lambdaVariables('y')))",
  "mapValues(createObject('a',1),lambda('y',1))",
  "map(range(0, 10), lambda('y', add(lambdaVariables('y'), lambdaVariables('x'))))",
];

const largeCalls: readonly string[] = [
  "length(range(0,10000))",
  "string(range(0,10000))",
  "length(string(variables('objs')))",
  "length(string(variables('obj')))",
  "length(string(createArray(variables('quoted'))))",
  "length(string(createArray(variables('text'))))",
  "concat(variables('text'),variables('text'))",
  "length(concat(variables('nums'),variables('nums')))",
  "length(toLower(variables('text')))",
  "length(toUpper(variables('wide')))",
  "length(toLower(variables('wide')))",
  "length(trim(variables('text')))",
  "length(replace(variables('text'),'a','xyz'))",
  "length(replace(variables('text'),'abcdefghij','x'))",
  "length(split(variables('text'),'a'))",
  "length(split(variables('text'),createArray('a','b')))",
  "length(join(variables('texts'),','))",
  "length(join(variables('nums'),','))",
  "startsWith(variables('text'),variables('text'))",
  "startsWith(variables('wide'),variables('wide'))",
  "contains(variables('text'),'zz')",
  "indexOf(variables('wide'),'zz')",
  "contains(variables('nums'),99999)",
  "contains(variables('objs'),createObject('a',1))",
  "length(base64(variables('text')))",
  "length(base64(variables('wide')))",
  "length(base64ToString(variables('b64')))",
  "length(base64ToJson(variables('b64json')))",
  "length(json(variables('json')))",
  "length(json(variables('jsonempty')))",
  "length(json(variables('jsonnum')))",
  "length(json(variables('jsonstr')))",
  "length(json(variables('jsonesc')))",
  "length(dataUri(variables('text')))",
  "length(uriComponent(variables('wide')))",
  "length(uriComponent(variables('text')))",
  "uniqueString(variables('text'))",
  "guid(variables('text'))",
  "length(distinct(variables('nums')))",
  "length(distinct(variables('texts')))",
  "length(distinct(variables('objs')))",
  "length(union(variables('nums'),variables('nums')))",
  "length(union(variables('obj'),variables('obj2')))",
  "length(intersection(variables('obj'),variables('obj2')))",
  "length(intersection(variables('obj'),variables('obj')))",
  "length(intersection(variables('texts'),variables('texts')))",
  "length(intersection(variables('objs'),variables('objsb')))",
  "length(flatten(variables('arrs')))",
  "length(items(variables('obj')))",
  "length(objectKeys(variables('obj')))",
  "equals(variables('objs'),variables('objsb'))",
  "length(shallowMerge(createArray(variables('obj'),variables('obj2'))))",
  "length(toObject(variables('texts'),lambda('y',lambdaVariables('y'))))",
  "length(groupBy(variables('texts'),lambda('y',lambdaVariables('y'))))",
  "length(groupBy(variables('texts'),lambda('y','k')))",
  "length(mapValues(variables('obj'),lambda('y',1)))",
  "length(sort(variables('nums'),lambda('a','b',less(lambdaVariables('a'),lambdaVariables('b')))))",
  "length(filter(variables('nums'),lambda('a',true())))",
  "length(skip(variables('nums'),1))",
  "max(variables('nums'))",
  "length(padLeft('',200000))",
  "length(format(variables('text')))",
  "length(format('{0}',variables('objs')))",
  "like(variables('text'),'*z*')",
];

/** Some thirty milliseconds of work tell enough. */
const leastMicroseconds = 30_000;

/** More would make the dearest template take several times as long as an ordinary one. */
const mostNanoseconds = 400;

export function measureSteps(): readonly Measurement[] {
  const known = new Map<string, Value>(Object.entries(values).map(([name, value]) => [name, fromJson(value)]));
  const scope = { variable: (name: string) => known.get(name) };
  const measured = [
    ...smallCalls.map((call) => ({ call, text: `length(map(range(0, 1000), lambda('x', ${call})))` })),
    ...largeCalls.map((call) => ({ call, text: call })),
  ].map(({ call, text }) => ({ call, nanoseconds: nanosecondsPerStep(text, scope) }));
  const dearest = measured.toSorted((a, b) => b.nanoseconds - a.nanoseconds).slice(0, 10);
  return [
    line(`a step, median of ${measured.length} calls`, median(measured.map(({ nanoseconds }) => nanoseconds))),
    ...dearest.map(({ call, nanoseconds }) => line(`a step of ${call}`, nanoseconds)),
  ];
}

function nanosecondsPerStep(text: string, scope: { readonly variable: (name: string) => Value | undefined }): number {
  const expression = parseExpression(`[${text}]`);
  const run = (): number => {
    const budget = new Budget();
    const before = budget.left;
    evaluateExpression(expression, scope, budget);
    return before - budget.left;
  };
  run();
  run();
  let steps = 0;
  const start = process.threadCpuUsage();
  for (;;) {
    steps += run();
    const { user, system } = process.threadCpuUsage(start);
    if (user + system >= leastMicroseconds) {
      return ((user + system) * 1_000) / steps;
    }
  }
}

function line(name: string, value: number): Measurement {
  return { name, value, unit: "ns", figure: value, target: { atMost: mostNanoseconds } };
}
