import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  additionalOf,
  anyArray,
  anyObject,
  anyType,
  arrayOf,
  boolType,
  collapse,
  defer,
  dependencyType,
  discriminatedOf,
  errorType,
  falseType,
  hasFlag,
  intLiteral,
  intOf,
  intType,
  isAssignable,
  isLiteral,
  isNullable,
  lambdaOf,
  lookupProperty,
  looseBool,
  looseInt,
  looseString,
  moduleOf,
  neverType,
  nullable,
  nullType,
  objectOf,
  openObject,
  parentOf,
  parentTypeOf,
  parseResourceReference,
  printObject,
  printType,
  propertyOf,
  PropertyFlags,
  resourceOf,
  ScopeFlags,
  scopeOf,
  secureString,
  stringLiteral,
  stringOf,
  stringType,
  suggestSpelling,
  testOf,
  trueType,
  tupleOf,
  TypeFlags,
  typeOfValue,
  unionOf,
  valueOfLiteral,
  withFlags,
  withoutNull,
} from "./index.ts";
import type { ObjectType, ResourceType, Type } from "./index.ts";
import { readableNames, writableNames } from "./lookup.ts";

const text = (value: string): Type => stringLiteral(value);
const required = (name: string, type: Type) => propertyOf(name, type, PropertyFlags.Required);
const resourceGroup = objectOf([], {
  name: "resourceGroup",
  scope: { scope: ScopeFlags.ResourceGroup, arguments: [] },
});

test("a union is flat, has each type once and is sorted by how its members print", () => {
  const cases: [Type[], string][] = [
    [[], "never"],
    [[stringType], "string"],
    [[stringType, stringType], "string"],
    [[text("b"), text("a"), text("b")], "'a' | 'b'"],
    [[nullType, unionOf([intType, text("a")])], "'a' | int | null"],
    [[neverType, intType], "int"],
    [[intType, anyType, nullType], "any"],
    [[arrayOf(stringType), anyArray, tupleOf([intType]), nullType], "array | null"],
    [[intLiteral(2n), intLiteral(10n)], "10 | 2"],
    [[objectOf([]), lambdaOf([anyType], boolType)], "(any => bool) | object"],
  ];
  for (const [types, printed] of cases) {
    assert.equal(printType(unionOf(types)), printed);
  }
});

test("flags and ranges make types different, and ranges are ordered by their bounds", () => {
  const union = unionOf([intType, intOf(5n, undefined), intOf(undefined, 3n), intOf(1n, 9n), intOf(1n, 4n)]);

  assert.equal(union.kind, "union");
  const bounds = union.kind === "union" ? union.members.map((m) => (m.kind === "int" ? [m.min, m.max] : [])) : [];
  assert.deepEqual(bounds, [
    [1n, 4n],
    [1n, 9n],
    [5n, undefined],
    [undefined, 3n],
    [undefined, undefined],
  ]);
  assert.equal(printType(unionOf([stringType, secureString])), "string | string");
  const lists = unionOf([
    arrayOf(intType, { minLength: 10 }),
    arrayOf(intType, { minLength: 9, maxLength: 10 }),
    arrayOf(intType, { minLength: 9, maxLength: 9 }),
  ]);
  assert.deepEqual(
    lists.kind === "union" && lists.members.map((m) => (m.kind === "array" ? [m.minLength, m.maxLength] : [])),
    [
      [9, 9],
      [9, 10],
      [10, undefined],
    ],
  );
});

test("null can be added, found and taken away", () => {
  const maybe = nullable(stringType);

  assert.equal(isNullable(maybe), true);
  assert.equal(isNullable(stringType), false);
  assert.equal(isNullable(nullType), true);
  assert.equal(withoutNull(maybe), stringType);
  assert.equal(withoutNull(stringType), undefined);
  assert.equal(withoutNull(nullType), undefined);
  assert.equal(nullable(anyType), anyType);
});

test("types print as an author would write them", () => {
  const reference = referenceTo("A.B/c/d@2020-01-01");
  const cases: [Type, string][] = [
    [text("it's ${a}\\\n\r\t"), "'it\\'s \\${a}\\\\\\n\\r\\t'"],
    [intLiteral(-3n), "-3"],
    [trueType, "true"],
    [stringOf({ minLength: 3 }), "string"],
    [anyArray, "array"],
    [arrayOf(anyType, { maxLength: 3 }), "array"],
    [arrayOf(stringType), "string[]"],
    [arrayOf(unionOf([stringType, intType])), "(int | string)[]"],
    [arrayOf(arrayOf(intType)), "int[][]"],
    [tupleOf([text("a"), intLiteral(1n)]), "['a', 1]"],
    [tupleOf([]), "<empty array>"],
    [lambdaOf([anyType], stringType), "any => string"],
    [lambdaOf([], stringType), "() => string"],
    [lambdaOf([anyType, anyType], anyType, [intType]), "(any, any[, int]) => any"],
    [lambdaOf([anyType], boolType, [intType]), "(any[, int]) => bool"],
    [anyObject, "object"],
    [discriminatedOf("k", [tagged("one"), tagged("two")]), "one | two"],
    [scopeOf(ScopeFlags.Module | ScopeFlags.Resource), "resource | module"],
    [arrayOf(scopeOf(ScopeFlags.Module | ScopeFlags.Resource)), "(resource | module)[]"],
    [resource("A.B/c@2020-01-01"), "A.B/c@2020-01-01"],
    [parentOf(reference), "A.B/c"],
    [moduleOf(objectOf([]), 8), "module"],
    [errorType([]), "error"],
    [dependencyType, "module[] | (resource | module) | resource[]"],
  ];
  for (const [type, printed] of cases) {
    assert.equal(printType(type), printed);
  }
  assert.equal(
    printObject(
      [
        { name: "a", type: "string" },
        { name: "b-c", type: "int" },
      ],
      "bool",
    ),
    "{ a: string, 'b-c': int, *: bool }",
  );
});

test("a union of one kind collapses to what it amounts to", () => {
  const cases: [Type[], string | undefined, Type?][] = [
    [[stringType, text("a")], "string", stringType],
    [[stringOf({ maxLength: 2 }), text("abc")], "'abc' | string"],
    [[stringOf({ maxLength: 2 }), stringOf({ minLength: 3 })], "string", stringType],
    [[stringOf({ pattern: "a" }), text("b")], "'b' | string"],
    [[intLiteral(1n), intLiteral(2n)], "int", intOf(1n, 2n)],
    [[intLiteral(1n), intLiteral(3n)], "1 | 3"],
    [[intOf(1n, 5n), intOf(4n, undefined)], "int", intOf(1n, undefined)],
    [[trueType, falseType], "bool", boolType],
    [[boolType, trueType], "bool", boolType],
    [[arrayOf(intType, { maxLength: 2 }), arrayOf(intType, { minLength: 1 })], "int[]", arrayOf(intType)],
    [[arrayOf(intType), arrayOf(stringType)], "int[] | string[]"],
    [[arrayOf(intLiteral(1n)), tupleOf([intLiteral(1n)])], "1[]"],
    [[stringType, intType], undefined],
    [[intLiteral(1n), intLiteral(2n), nullType], "int | null"],
    [[objectOf([required("a", intType)]), stringType], undefined],
  ];
  for (const [types, printed, expected] of cases) {
    const result = collapse(unionOf(types));
    assert.equal(result && printType(result), printed);
    if (expected !== undefined) {
      assert.equal(result?.key, expected.key);
    }
  }
});

test("objects collapse to a tagged union when a required literal tells them apart, preferably type or kind", () => {
  const left = objectOf([required("a", text("x")), required("kind", text("l")), required("n", intType)]);
  const right = objectOf([required("a", text("y")), required("kind", text("r"))]);

  const tagged = collapse(unionOf([left, right]));

  assert.equal(tagged?.kind === "discriminated" && tagged.discriminator, "kind");
  assert.deepEqual(tagged?.kind === "discriminated" && Array.from(tagged.members.keys()).sort(), ["l", "r"]);
});

test("other objects collapse to one whose properties are required only when all have them", () => {
  const merged = collapse(
    unionOf([
      objectOf([required("a", intType), required("b", intType)]),
      objectOf([required("a", stringType)], { additional: additionalOf(boolType) }),
    ]),
  );

  assert.ok(merged?.kind === "object");
  assert.equal(printType(merged.properties.get("a")?.type ?? neverType), "int | string");
  assert.equal(merged.properties.get("a")?.flags, PropertyFlags.Required);
  assert.equal(printType(merged.properties.get("b")?.type ?? neverType), "bool | int");
  assert.equal(merged.properties.get("b")?.flags, 0);
  assert.equal(merged.additional?.type, boolType);
});

test("assignability follows the kinds", () => {
  const storage = resource("Ms.S/accounts@2020-01-01");
  const yes: [Type, Type][] = [
    [anyType, stringType],
    [stringType, anyType],
    [text("a"), text("a")],
    [withFlags(text("a"), TypeFlags.Secure), text("a")],
    [looseString, text("a")],
    [looseInt, intLiteral(1n)],
    [looseBool, trueType],
    [text("a"), stringType],
    [secureString, stringType],
    [stringType, stringOf({ minLength: 3 })],
    [intLiteral(4n), intType],
    [nullType, nullable(intType)],
    [tupleOf([intType]), arrayOf(stringType)],
    [anyArray, tupleOf([])],
    [objectOf([]), objectOf([required("a", intType)])],
    [objectOf([]), discriminatedOf("k", [tagged("one")])],
    [neverType, stringType],
    [unionOf([text("a"), text("b")]), stringType],
    [unionOf([text("a"), nullType]), unionOf([text("b"), text("a"), nullType])],
    [looseString, unionOf([text("a"), intType])],
    [lambdaOf([anyType], stringType), lambdaOf([anyType], anyType, [intType])],
    [lambdaOf([anyType, intType], boolType), lambdaOf([anyType], boolType, [intType])],
    [lambdaOf([anyType], boolType, [intType]), lambdaOf([anyType, intType], boolType)],
    [storage, scopeOf(ScopeFlags.Resource)],
    [resourceGroup, scopeOf(ScopeFlags.Tenant)],
    [storage, dependencyType],
    [arrayOf(storage), dependencyType],
    [storage, parentOf(referenceTo("ms.s/Accounts/blobs@2020-01-01"))],
    [storage, anyObject],
    [objectOf([]), storage],
    [objectOf([]), moduleOf(objectOf([]), 8)],
    [objectOf([]), testOf(objectOf([]))],
    [moduleOf(objectOf([]), 8), dependencyType],
    [testOf(objectOf([])), anyObject],
  ];
  const no: [Type, Type][] = [
    [text("a"), text("b")],
    [intLiteral(1n), intLiteral(2n)],
    [trueType, falseType],
    [intType, intLiteral(1n)],
    [boolType, trueType],
    [stringType, moduleOf(objectOf([]), 8)],
    [stringType, testOf(objectOf([]))],
    [stringType, text("a")],
    [intType, stringType],
    [nullType, stringType],
    [nullable(stringType), stringType],
    [stringType, unionOf([text("a"), text("b")])],
    [text("c"), unionOf([text("a"), text("b"), intType])],
    [looseString, unionOf([intLiteral(1n), intLiteral(2n)])],
    [errorType([]), anyType],
    [anyType, errorType([])],
    [lambdaOf([anyType, anyType], anyType), lambdaOf([anyType], anyType)],
    [lambdaOf([anyType], errorType([])), lambdaOf([anyType], anyType)],
    [lambdaOf([anyType], intType), lambdaOf([anyType], boolType)],
    [lambdaOf([anyType], intType), anyObject],
    [stringType, dependencyType],
    [stringType, scopeOf(ScopeFlags.Resource)],
    [storage, parentOf(referenceTo("Ms.S/accounts/a/b@2020-01-01"))],
    [storage, parentOf(referenceTo("Ms.T/accounts/a@2020-01-01"))],
    [objectOf([]), parentOf(referenceTo("Ms.S/accounts/a@2020-01-01"))],
    [storage, stringType],
    [stringType, neverType],
  ];
  for (const [source, target] of yes) {
    assert.equal(isAssignable(source, target), true, `${printType(source)} -> ${printType(target)}`);
  }
  for (const [source, target] of no) {
    assert.equal(isAssignable(source, target), false, `${printType(source)} -> ${printType(target)}`);
  }
});

test("a large union is searched as a small one is", () => {
  const regions = Array.from({ length: 20 }, (_, index) => text(`region${index}`));
  const many = unionOf(regions);

  assert.equal(isAssignable(text("region7"), many), true);
  assert.equal(isAssignable(text("elsewhere"), many), false);
  assert.equal(isAssignable(stringType, many), false);
  assert.equal(isAssignable(looseString, many), true);
  assert.equal(isAssignable(text("region7"), unionOf([...regions, intType])), true);
  assert.equal(isAssignable(text("elsewhere"), unionOf([...regions, intType])), false);
  assert.equal(isAssignable(intLiteral(3n), unionOf([...regions, intType, nullType])), true);
  assert.equal(isAssignable(unionOf(regions.slice(5)), many), true);
  assert.equal(isAssignable(unionOf([...regions, text("elsewhere")]), many), false);
});

test("literal types are those with one value, and the value can be had back", () => {
  const value = new Map<string, string | bigint | readonly (string | null | boolean)[]>([
    ["a", "x"],
    ["b", 3n],
    ["c", ["y", null, true]],
  ]);
  const type = typeOfValue(value);

  assert.equal(isLiteral(type), true);
  assert.deepEqual(valueOfLiteral(type), value);
  assert.equal(isLiteral(stringType), false);
  assert.equal(isLiteral(tupleOf([stringType])), false);
  assert.equal(isLiteral(anyObject), false);
  assert.equal(isLiteral(objectOf([propertyOf("a", text("x"))])), false);
  assert.equal(isLiteral(resourceGroup), false);
  assert.equal(valueOfLiteral(tupleOf([stringType])), undefined);
  assert.equal(typeOfValue(1.5), anyType);
  assert.equal(typeOfValue(2n ** 70n), intType);
  assert.equal(typeOfValue(2n ** 63n - 1n).kind, "intLiteral");
  assert.equal(typeOfValue(-(2n ** 63n)).kind, "intLiteral");
});

test("properties are kept by name, and of a name given twice the last one counts", () => {
  const type = objectOf([propertyOf("b", stringType), propertyOf("a", intType), propertyOf("b", boolType)]);

  assert.deepEqual(Array.from(type.properties.keys()), ["a", "b"]);
  assert.equal(type.properties.get("b")?.type, boolType);
});

test("reading a property says what is wrong with it", () => {
  const type = objectOf([
    required("name", stringType),
    propertyOf("secret", stringType, PropertyFlags.WriteOnly),
    propertyOf("extra", intType, PropertyFlags.Fallback),
    propertyOf("id", stringType, PropertyFlags.ReadOnly),
  ]);
  const codes = (object: ObjectType, name: string): unknown => {
    const result = lookupProperty(object, name);
    return result.found ? [printType(result.type), result.complaint] : [result.code, result.suggestion, result.lenient];
  };

  assert.deepEqual(codes(type, "name"), ["string", undefined]);
  assert.deepEqual(codes(type, "secret"), ["string", "BCP077"]);
  assert.deepEqual(codes(type, "extra"), ["int", "BCP187"]);
  assert.deepEqual(codes(type, "NAME"), ["BCP083", "name", false]);
  assert.deepEqual(codes(type, "unlike"), ["BCP053", undefined, false]);
  assert.deepEqual(codes(objectOf([]), "a"), ["BCP052", undefined, false]);
  assert.deepEqual(codes(openObject(), "a"), ["any", undefined]);
  assert.deepEqual(codes(objectOf([], { flags: TypeFlags.WarnOnPropertyTypeMismatch }), "a"), [
    "BCP052",
    undefined,
    true,
  ]);
  assert.deepEqual(readableNames(type), ["id", "name"]);
  assert.deepEqual(writableNames(type), ["name", "secret"]);
});

test("a close spelling is suggested, a distant one is not", () => {
  const names = ["location", "locations", "kind", "id", "SKU"];

  assert.equal(suggestSpelling("locaton", names), "location");
  assert.equal(suggestSpelling("LOCATIONS", names), "locations");
  assert.equal(suggestSpelling("kid", names), "kind");
  assert.equal(suggestSpelling("if", names), undefined);
  assert.equal(suggestSpelling("ID", names), "id");
  assert.equal(suggestSpelling("sku", names), "SKU");
  assert.equal(suggestSpelling("sk", names), undefined);
  assert.equal(suggestSpelling("", names), undefined);
  assert.equal(suggestSpelling("elsewhere", names), undefined);
});

test("a type may contain itself through a deferred part", () => {
  const node: ObjectType = objectOf([
    required("value", intType),
    propertyOf(
      "next",
      defer(() => nullable(node)),
    ),
  ]);

  const next = node.properties.get("next")?.type;

  assert.equal(next && withoutNull(next), node);
  assert.equal(isAssignable(node, node), true);
  assert.equal(unionOf([node, node]), node);
  assert.ok(node.key.length > 0);
});

test("a deferred type that asks for itself is any", () => {
  const source = defer((): Type => arrayOf(source.type));

  assert.equal(printType(source.type), "array");
});

test("flags can be set on every kind that carries them", () => {
  for (const type of [stringType, intType, boolType, text("a"), intLiteral(1n), trueType, anyArray, anyObject]) {
    const secure = withFlags(type, TypeFlags.Secure);
    assert.equal(hasFlag(secure, TypeFlags.Secure), true);
    assert.equal(withFlags(secure, 0).key, type.key);
  }
  assert.equal(hasFlag(withFlags(nullable(stringType), TypeFlags.Secure), TypeFlags.Secure), true);
  assert.equal(hasFlag(nullable(stringType), TypeFlags.Secure), false);
  assert.equal(hasFlag(looseString, TypeFlags.Secure), false);
  assert.equal(withFlags(anyType, TypeFlags.Secure), anyType);
  const secureUnion = withFlags(unionOf([stringType, intType]), TypeFlags.Secure);
  assert.equal(withFlags(secureUnion, 0).key, unionOf([stringType, intType]).key);
});

test("resource types are read with their segments and version", () => {
  assert.deepEqual(referenceTo("A.B/c/d@2020-01-01").segments, ["A.B", "c", "d"]);
  assert.equal(referenceTo("A.B/c@x").version, "x");
  assert.equal(parentTypeOf(referenceTo("A.B/c@x")), undefined);
  assert.equal(parentTypeOf(referenceTo("A.B/c/d@x")), "A.B/c");
  for (const bad of ["", "A.B", "A.B/", "/c@1", "A.B/c@", "A.B/c@1@2", "A.B//c"]) {
    assert.equal(parseResourceReference(bad), undefined, bad);
  }
});

const typeArbitrary: fc.Arbitrary<Type> = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Type>(anyType, neverType, nullType, stringType, intType, boolType, looseString, secureString),
    fc.string({ maxLength: 2 }).map((value) => stringLiteral(value)),
    fc.integer({ min: -3, max: 3 }).map((value) => intLiteral(BigInt(value))),
    fc.boolean().map((value) => (value ? trueType : falseType)),
    fc.tuple(fc.nat(3), fc.nat(3)).map(([min, more]) => stringOf({ minLength: min, maxLength: min + more })),
    tie("type").map((item) => arrayOf(item)),
    fc.array(tie("type"), { maxLength: 3 }).map((items) => tupleOf(items)),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("type")).map((members) => {
      return objectOf(Object.entries(members).map(([name, type]) => required(name, type)));
    }),
    fc.array(tie("type"), { maxLength: 3 }).map((members) => unionOf(members)),
    fc.array(tie("type"), { maxLength: 2 }).map((parameters) => lambdaOf(parameters, stringType)),
  ),
})).type;

test("every type is assignable to itself and to a union that contains it", () => {
  fc.assert(
    fc.property(typeArbitrary, typeArbitrary, (type, other) => {
      assert.equal(isAssignable(type, type), true);
      assert.equal(isAssignable(type, unionOf([other, type])), true);
    }),
  );
});

test("a union does not depend on the order or the grouping of its members", () => {
  fc.assert(
    fc.property(fc.array(typeArbitrary, { minLength: 1, maxLength: 5 }), fc.nat(), (types, at) => {
      const [left, right] = [types.slice(0, at % types.length), types.slice(at % types.length)];
      const whole = unionOf(types);

      assert.equal(unionOf(types.toReversed()).key, whole.key);
      assert.equal(unionOf([unionOf(right), ...left]).key, whole.key);
    }),
  );
});

test("collapsing keeps every value of a union", () => {
  fc.assert(
    fc.property(fc.array(typeArbitrary, { minLength: 1, maxLength: 5 }), (types) => {
      const union = unionOf(types);
      const collapsed = collapse(union);
      assert.ok(collapsed === undefined || isAssignable(union, collapsed));
    }),
  );
});

function tagged(name: string): ObjectType {
  return objectOf([required("k", text(name))], { name });
}

function referenceTo(source: string) {
  const reference = parseResourceReference(source);
  assert.ok(reference !== undefined);
  return reference;
}

function resource(source: string): ResourceType {
  return resourceOf({ reference: referenceTo(source), extension: "az", body: objectOf([]) });
}
