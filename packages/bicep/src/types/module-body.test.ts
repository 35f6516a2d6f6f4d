import assert from "node:assert/strict";
import { test } from "node:test";
import {
  intType,
  moduleType,
  objectOf,
  printType,
  propertyOf,
  PropertyFlags,
  ScopeFlags,
  stringType,
  testType,
} from "./index.ts";
import type { ModuleOptions, ObjectType } from "./index.ts";

const { DeployTimeConstant, ReadOnly, ReadableAtDeployTime, Required, WriteOnly } = PropertyFlags;
const required = propertyOf("needed", stringType, Required);
const optional = propertyOf("extra", intType);

test("a module takes its file's parameters and gives its outputs", () => {
  const body = bodyOf({ parameters: [required, optional], outputs: [propertyOf("result", stringType)] });
  const outputs = body.properties.get("outputs");

  assert.deepEqual(Array.from(body.properties.keys()), ["dependsOn", "identity", "name", "outputs", "params", "scope"]);
  assert.equal(body.additional, undefined);
  assert.deepEqual(Array.from(objectAt(body, "params").properties.keys()), ["extra", "needed"]);
  assert.equal(outputs?.flags, ReadOnly);
  assert.equal(objectAt(body, "outputs").properties.get("result")?.type, stringType);
  assert.equal(
    (body.properties.get("name")?.flags ?? 0) & (DeployTimeConstant | ReadableAtDeployTime),
    DeployTimeConstant | ReadableAtDeployTime,
  );
  assert.equal(
    printType(objectAt(body, "identity").properties.get("type")?.type ?? intType),
    "'None' | 'UserAssigned'",
  );
});

test("params must be given only when one of the parameters must", () => {
  const needed = (parameters: ModuleOptions["parameters"]): boolean =>
    ((bodyOf({ parameters }).properties.get("params")?.flags ?? 0) & Required) !== 0;

  assert.equal(needed([]), false);
  assert.equal(needed([optional]), false);
  assert.equal(needed([optional, required]), true);
});

test("scope must be given when the module's file targets another one", () => {
  assert.equal((bodyOf({ scopeRequired: true }).properties.get("scope")?.flags ?? 0) & Required, Required);
  assert.equal((bodyOf({ scopeRequired: false }).properties.get("scope")?.flags ?? 0) & Required, 0);
});

test("extension configurations can be given when there are any", () => {
  const configs = objectOf([propertyOf("k8s", objectOf([]), Required)]);

  assert.equal(bodyOf({}).properties.has("extensionConfigs"), false);
  const property = bodyOf({ extensionConfigs: configs }).properties.get("extensionConfigs");
  assert.equal(property?.flags, WriteOnly | Required);
});

test("a test takes parameters and nothing else", () => {
  const { body } = testType([required]);

  assert.deepEqual(Array.from(body.properties.keys()), ["params"]);
  assert.equal(objectAt(body, "params").properties.get("needed"), required);
});

function bodyOf(options: Partial<ModuleOptions>): ObjectType {
  return moduleType({
    parameters: [],
    outputs: [],
    targetScopes: ScopeFlags.ResourceGroup,
    scopeRequired: false,
    ...options,
  }).body;
}

function objectAt(body: ObjectType, name: string): ObjectType {
  const type = body.properties.get(name)?.type;
  assert.ok(type?.kind === "object");
  return type;
}
