import assert from "node:assert/strict";
import { test } from "node:test";
import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { builtInTypes } from "./built-in-types.ts";

/** What must never be stored or shown in clear. A type that is not listed has no secrets of its own. */
const expected: Readonly<Record<string, readonly string[]>> = {
  "Applications.Core/extenders": ["secrets"],
  "Applications.Core/secretStores": ["data.*.value"],
  "Applications.Datastores/mongoDatabases": ["secrets"],
  "Applications.Datastores/redisCaches": ["secrets"],
  "Applications.Datastores/sqlDatabases": ["secrets"],
  "Applications.Messaging/rabbitMQQueues": ["secrets"],
  "Radius.Data/mySqlDatabases": ["password"],
  "Radius.Data/postgreSqlDatabases": ["password"],
  "Radius.Data/sqlServerDatabases": ["password"],
  "Radius.Messaging/rabbitMQ": ["password"],
  "Radius.Security/secrets": ["data.*.value"],
};

test("the sensitive members of built-in types are marked in every api-version", () => {
  for (const { name, versions } of builtInTypes) {
    for (const [version, schema] of Object.entries(versions)) {
      assert.deepEqual([...sensitiveMembers(schema)], expected[name] ?? [], `${name}@${version}`);
    }
  }
});

function* sensitiveMembers(schema: JsonObject, path: readonly string[] = []): Generator<string> {
  if (schema["x-radius-sensitive"] === true) {
    yield path.join(".");
  }
  const below: [string[], JsonValue | undefined][] = [
    [["*"], schema["items"]],
    [["*"], schema["additionalProperties"]],
    ...(Array.isArray(schema["oneOf"]) ? schema["oneOf"].map((variant): [string[], JsonValue] => [[], variant]) : []),
  ];
  const { properties } = schema;
  for (const [name, member] of Object.entries(isJsonObject(properties) ? properties : {})) {
    below.push([[name], member]);
  }
  for (const [step, member] of below) {
    if (isJsonObject(member)) {
      yield* sensitiveMembers(member, [...path, ...step]);
    }
  }
}
