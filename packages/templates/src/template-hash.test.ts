import assert from "node:assert/strict";
import { it } from "node:test";
import { atOnce, type JsonObject } from "@rad/core";
import { murmur64 } from "./hash.ts";
import { encodeUtf8 } from "./text/bytes.ts";
import { sliced } from "./pausing.ts";
import { templateHash, type TemplateObject } from "./template-hash.ts";
import { fromJson } from "./values/json-conversion.ts";
import { isObject } from "./values/value.ts";

const hashAtOnce = (template: TemplateObject): string => atOnce(sliced(templateHash(template)));

/** The hash of a text that is already in its canonical form. */
function hashOf(text: string): string {
  return murmur64(encodeUtf8(upperKeepingSharpS(text))).toString();
}

it("a template hashes as its members in their fixed order, on one line, in capital letters", () => {
  const template = {
    resources: [
      {
        condition: true,
        properties: { b: 1, a: 2 },
        name: "x",
        apiVersion: "1",
        type: "A.B/c",
        dependsOn: [],
        copy: {},
      },
    ],
    outputs: { o: { value: "[parameters('p')]", type: "string" } },
    metadata: { _generator: { name: "bicep", version: "1", templateHash: "5" }, author: "ÿ" },
    parameters: { p: { type: "string", metadata: { description: "\n" }, maxLength: 3, defaultValue: "ß" } },
    functions: [{ namespace: "n", members: { f: { parameters: [{ type: "int", name: "x" }], output: {} } } }],
    variables: { z: null, "1": [] },
    contentVersion: "1.0.0.0",
    languageVersion: "2.0",
    $schema: "s",
    definitions: { d: { type: "int", allowedValues: [1] } },
  };
  const canonical = [
    '{"$schema":"s","languageVersion":"2.0","contentVersion":"1.0.0.0",',
    '"definitions":{"d":{"type":"int","allowedValues":[1]}},',
    '"parameters":{"p":{"defaultValue":"ß","maxLength":3,"type":"string","metadata":{"description":"\\n"}}},',
    '"variables":{"1":[],"z":null},',
    '"functions":[{"namespace":"n","members":{"f":{"parameters":[{"name":"x","type":"int"}],"output":{}}}}],',
    '"resources":[{"type":"A.B/c","apiVersion":"1","name":"x","dependsOn":[],"properties":{"b":1,"a":2},"copy":{},"condition":true}],',
    `"outputs":{"o":{"type":"string","value":"[parameters('p')]"}},`,
    '"metadata":{"_generator":{"name":"bicep","version":"1"},"author":"ÿ"}}',
  ].join("");

  assert.equal(hashAtOnce(template), hashOf(canonical));
});

it("an empty object of resources hashes like an empty array", () => {
  assert.equal(hashAtOnce({ resources: {} }), hashOf('{"resources":[]}'));
  assert.equal(hashAtOnce({ resources: [] }), hashOf('{"resources":[]}'));
});

it("resources under symbolic names are ordered like those of an array", () => {
  const text = '{"resources":{"b":{"type":"A.B/c","name":"x"},"a":{"type":"A.B/c"}}}';

  assert.equal(hashAtOnce({ resources: { b: { name: "x", type: "A.B/c" }, a: { type: "A.B/c" } } }), hashOf(text));
});

it("the hash of a nested template counts, in the order it stands in", () => {
  const nested = { outputs: {}, metadata: { _generator: { templateHash: "7" } }, parameters: {} };
  const text =
    '{"resources":[{"properties":{"template":{"outputs":{},"metadata":{"_generator":{"templateHash":"7"}},"parameters":{}}}}]}';

  assert.equal(hashAtOnce({ resources: [{ properties: { template: nested } }] }), hashOf(text));
});

it("types within types are ordered like definitions, and a null value counts as absent", () => {
  const type = { nullable: true, items: { metadata: {}, maxLength: 2, minLength: 1, type: "string" }, type: "array" };
  const union = { discriminator: { mapping: { a: { properties: {}, type: "object" } }, propertyName: "k" } };
  const template = {
    definitions: { t: type },
    parameters: { p: { ...type, defaultValue: null }, q: union },
    functions: [{ members: { f: { output: { value: 1, ...type }, parameters: [{ ...type, name: "x" }] } } }],
    outputs: {
      o: { value: null, $ref: "#/definitions/t", metadata: {} },
      n: { value: { value: null }, type: "object" },
    },
  };
  const items = '"items":{"type":"string","metadata":{},"minLength":1,"maxLength":2}';
  const canonical = [
    `{"definitions":{"t":{"type":"array","nullable":true,${items}}},`,
    `"parameters":{"p":{"nullable":true,${items},"type":"array"},`,
    '"q":{"discriminator":{"mapping":{"a":{"type":"object","properties":{}}},"propertyName":"k"}}},',
    `"functions":[{"members":{"f":{"output":{"nullable":true,${items},"type":"array","value":1},`,
    `"parameters":[{"name":"x","nullable":true,${items},"type":"array"}]}}}],`,
    '"outputs":{"o":{"$ref":"#/definitions/t","metadata":{}},"n":{"type":"object","value":{"value":null}}}}',
  ].join("");

  assert.equal(hashAtOnce(template), hashOf(canonical));
});

it("maps and plain objects, integers of either kind, hash the same", () => {
  const plain: JsonObject = { parameters: { p: { type: "int", minValue: -5 } }, variables: { v: [true, null, "x"] } };
  const value = fromJson(plain);

  assert.ok(isObject(value));
  assert.equal(hashAtOnce(value), hashAtOnce(plain));
});

it("parts of an unexpected kind are hashed as they are", () => {
  const odd = { parameters: 1, outputs: ["x"], functions: [null], metadata: "m", resources: [3] };

  assert.equal(
    hashAtOnce(odd),
    hashOf('{"parameters":1,"functions":[null],"resources":[3],"outputs":["x"],"metadata":"m"}'),
  );
});

function upperKeepingSharpS(text: string): string {
  return text
    .split("ß")
    .map((part) => part.toUpperCase())
    .join("ß");
}
