import assert from "node:assert/strict";
import { test } from "node:test";
import {
  anyType,
  azureResourceType,
  FunctionFlags,
  isAssignable,
  isAzureTypeName,
  lookupProperty,
  parseResourceReference,
  printType,
  PropertyFlags,
} from "./index.ts";
import type { AzureResourceOptions, ObjectType } from "./index.ts";

const { DeployTimeConstant, ReadOnly, ReadableAtDeployTime, Required, System, WriteOnly, DisallowAny } = PropertyFlags;

test("an Azure resource without a definition has what all Azure resources have", () => {
  const body = bodyOf("Ms.Storage/accounts@2020-01-01");
  const rows: [string, string, number][] = [
    ["id", "string", ReadOnly | System | ReadableAtDeployTime],
    ["type", "'Ms.Storage/accounts'", ReadOnly | System | ReadableAtDeployTime],
    ["apiVersion", "'2020-01-01'", ReadOnly | System | ReadableAtDeployTime],
    ["name", "string", Required | System | DeployTimeConstant | ReadableAtDeployTime | PropertyFlags.LoopVariant],
    ["location", "string", DeployTimeConstant],
    ["tags", "tags", DeployTimeConstant],
    ["properties", "object", 0],
    ["zones", "string[]", DeployTimeConstant],
    ["sku", "sku", DeployTimeConstant],
    ["identity", "identity", DeployTimeConstant],
    ["eTag", "string", 0],
    ["dependsOn", "(module[] | (resource | module) | resource[])[]", WriteOnly | DisallowAny | System],
    ["scope", "resource | tenant | managementGroup | subscription | resourceGroup", WriteOnly | DeployTimeConstant],
  ];
  for (const [name, type, flags] of rows) {
    const property = body.properties.get(name);
    assert.ok(property !== undefined, name);
    assert.equal(printType(property.type), type);
    assert.equal(property.flags & flags, flags, name);
  }
});

test("its body is open: what the list lacks is any", () => {
  const body = bodyOf("Ms.Storage/accounts@2020-01-01");
  const sku = body.properties.get("sku")?.type;

  const found = lookupProperty(body, "somethingElse");
  assert.equal(found.found && found.type, anyType);
  assert.equal(found.found && found.complaint, undefined);
  assert.ok(sku?.kind === "object" && lookupProperty(sku, "other").found);
});

test("only a child that stands on its own has a parent property", () => {
  const child = "Ms.Storage/accounts/blobs@2020-01-01";

  assert.equal(bodyOf("Ms.Storage/accounts@2020-01-01").properties.has("parent"), false);
  assert.equal(bodyOf(child).properties.has("parent"), true);
  assert.equal(bodyOf(child, { existing: false, nested: true }).properties.has("parent"), false);
  const parent = bodyOf(child).properties.get("parent")?.type;
  assert.ok(parent !== undefined && isAssignable(azureType("ms.storage/Accounts@2021-01-01"), parent));
});

test("of an existing resource only the identity can be written", () => {
  const body = bodyOf("Ms.Storage/accounts@2020-01-01", { existing: true, nested: false });
  const writable = Array.from(body.properties.values())
    .filter((property) => (property.flags & ReadOnly) === 0)
    .map((property) => property.name);

  assert.deepEqual(writable, ["dependsOn", "name", "scope"]);
  assert.equal(body.additional?.flags, ReadOnly);
});

test("tags and sku need not be known at the start when that feature is on", () => {
  const options = { existing: false, nested: false, runtimeValuesInTagsAndSku: true };
  const body = bodyOf("Ms.Storage/accounts@2020-01-01", options);

  const isConstant = (name: string) => ((body.properties.get(name)?.flags ?? 0) & DeployTimeConstant) !== 0;
  assert.equal(isConstant("tags"), false);
  assert.equal(isConstant("sku"), false);
  assert.equal(isConstant("kind"), true);
});

test("every resource has list methods, a key vault has secrets", () => {
  const storage = bodyOf("Ms.Storage/accounts@2020-01-01").methods;
  const vault = bodyOf("microsoft.KeyVault/Vaults@2020-01-01").methods;

  assert.equal(storage?.overloads("listKeys")[0]?.flags, FunctionFlags.RequiresInlining);
  assert.equal(storage?.overloads("list").length, 1);
  assert.deepEqual(storage?.overloads("getSecret"), []);
  assert.equal(vault?.overloads("getSecret")[0]?.flags, FunctionFlags.SecureModuleParameterOnly);
  assert.equal(vault?.overloads("listKeys").length, 1);
  const counts = [vault?.overloads("getSecret")[0], vault?.overloads("listKeys")[0]].map((overload) => [
    overload?.minimumArguments,
    overload?.maximumArguments,
  ]);
  assert.deepEqual(counts, [
    [1, 2],
    [0, 2],
  ]);
});

test("Azure takes types with a dated version", () => {
  const accepts = (text: string): boolean => isAzureTypeName(reference(text));

  assert.equal(accepts("Microsoft.Web/sites@2020-01-01"), true);
  assert.equal(accepts("radius.core/thing-s/x@2025-08-01-PREVIEW"), true);
  assert.equal(accepts("Microsoft.Web/sites@2020-01-01-privatepreview"), true);
  assert.equal(accepts("Microsoft.Web/sites@v1"), false);
  assert.equal(accepts("Microsoft.Web/sites@2020-01-01-other"), false);
  assert.equal(accepts("Microsoft.Web/sites"), false);
  assert.equal(accepts("Microsoft_Web/sites@2020-01-01"), false);
  assert.equal(accepts("Microsoft.Web/si.tes@2020-01-01"), false);
});

function reference(text: string) {
  const parsed = parseResourceReference(text);
  assert.ok(parsed !== undefined);
  return parsed;
}

function azureType(text: string, options: AzureResourceOptions = { existing: false, nested: false }) {
  return azureResourceType(reference(text), options);
}

function bodyOf(text: string, options?: AzureResourceOptions): ObjectType {
  const { body } = azureType(text, options);
  assert.ok(body.kind === "object");
  return body;
}
