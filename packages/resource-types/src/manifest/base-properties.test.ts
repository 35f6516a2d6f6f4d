import { atOnce } from "@rad/core";
import assert from "node:assert/strict";
import { test } from "node:test";
import { compileSchema } from "../schema/resource-schema.ts";
import { withBaseProperties } from "./base-properties.ts";

test("every resource can name its application, environment, connections and code", () => {
  const compiled = compileSchema(withBaseProperties({ type: "object" }));

  assert.deepEqual(
    atOnce(
      compiled.validate({
        application: "/a",
        environment: "/e",
        codeReference: "main.ts#L1",
        connections: { db: { source: "/db", disableDefaultEnvVars: true } },
      }),
    ),
    [],
  );
  assert.deepEqual(
    atOnce(compiled.validate({ application: 1, connections: { db: {} } })).map((problem) => problem.path),
    ["$.properties.environment", "$.properties.application", "$.properties.connections.db.source"],
  );
});

test("what the author declares wins", () => {
  const environment = { type: "string", description: "Mine" };

  const schema = withBaseProperties({ properties: { environment }, required: ["environment"] });

  assert.equal(Object(schema["properties"]).environment, environment);
  assert.deepEqual(schema["required"], ["environment"]);
});

test("the empty schema stays empty", () => {
  assert.deepEqual(withBaseProperties({}), {});
});
