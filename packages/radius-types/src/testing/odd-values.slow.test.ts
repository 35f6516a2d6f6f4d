import { test } from "node:test";
import assert from "node:assert/strict";
import { ApiError, atOnce, isJsonObject, ResourceId } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { compileSchema } from "@rad/resource-types";
import { goldenContext, goldenResource } from "./golden-type.ts";
import type { GoldenCase, GoldenType } from "./golden-type.ts";
import { goldenTypes } from "./golden-types.ts";

/** What authors and attackers write where something else was meant. */
const oddValues: readonly JsonValue[] = [
  "",
  " ",
  "__proto__",
  "constructor",
  "../..",
  "%2e%2e",
  "a\u0000b",
  "🦄\ud800",
  "x".repeat(5_000),
  "a".repeat(64),
  "/",
  "//",
  "/planes/radius/local",
  "http://[::1",
  "http://a:99999999",
  "{{",
  "&a [*a]",
  "a: &b [*b]",
  "- 1",
  "1",
  "apiVersion: v1\nkind: Secret\nmetadata: {name: __proto__}\ndata: {__proto__: YQ==}\n",
  "[".repeat(500),
  0,
  -1,
  1.5,
  1e21,
  true,
  [],
  {},
  [null],
  [[]],
  [{}],
  ["a", 1],
  { constructor: "x" },
  { a: { b: {} } },
  JSON.parse('{"__proto__":{"a":"b"},"$patch":"delete"}') as JsonObject,
  { $patch: 1, $retainKeys: {}, "$setElementOrder/containers": 1, "$deleteFromPrimitiveList/args": {} },
];

const oddNames = ["__proto__", "", "a/b~c", "ü", "constructor", "toString", "x".repeat(300)];

for (const golden of goldenTypes) {
  const [schema = {}] = Object.values(golden.type.versions);
  const compiled = compileSchema(schema);
  test(`${golden.type.name}: an odd value in any place is rendered or refused`, () => {
    for (const one of golden.cases) {
      for (const [place, properties] of changedBodies(one.properties)) {
        if (atOnce(compiled.validate(properties)).length === 0) {
          tryToRender(golden, { ...one, properties }, place);
        }
      }
    }
  });
}

/** Everything that the engine asks of a renderer. */
function tryToRender(golden: GoldenType, one: GoldenCase, place: string): void {
  const { renderer, type } = golden;
  const resource = goldenResource(golden, one);
  const { properties } = resource;
  const id = ResourceId.parse(resource.id.toString());
  for (const work of [
    () => renderer.validate?.({ id, properties, current: undefined }),
    () => renderer.dependencies(properties),
    () => JSON.stringify(renderer.render(resource, goldenContext(one))),
  ]) {
    try {
      work();
    } catch (error) {
      assert.ok(error instanceof ApiError, `${type.name}, ${one.name}, ${place}: ${(error as Error).stack}`);
      assert.ok(error.status < 500, `${place}: ${error.message}`);
    }
  }
}

/** The body with one member changed, removed or renamed, for each member. */
function* changedBodies(body: JsonObject): Generator<[string, JsonObject]> {
  for (const path of placesIn(body)) {
    for (const odd of oddValues) {
      yield [`${path.join(".")} = ${JSON.stringify(odd).slice(0, 60)}`, changed(body, path, odd)];
    }
    for (const name of oddNames) {
      yield [`${path.join(".")} called ${name.slice(0, 20)}`, changed(body, path, undefined, name)];
    }
  }
}

function* placesIn(value: JsonValue, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0) {
    yield path;
  }
  for (const [name, member] of typeof value === "object" && value !== null ? Object.entries(value) : []) {
    yield* placesIn(member, [...path, name]);
  }
}

/** @param rename the member keeps its value under another name */
function changed(body: JsonObject, path: readonly string[], value: JsonValue | undefined, rename?: string): JsonObject {
  const copy = structuredClone(body);
  let parent: JsonObject = copy;
  for (const name of path.slice(0, -1)) {
    parent = parent[name] as JsonObject;
  }
  const last = path.at(-1) ?? "";
  const old = parent[last] ?? null;
  if (rename !== undefined && isJsonObject(parent)) {
    delete parent[last];
  }
  const name = rename !== undefined && isJsonObject(parent) ? rename : last;
  Object.defineProperty(parent, name, { value: value ?? old, enumerable: true, configurable: true, writable: true });
  return copy;
}
