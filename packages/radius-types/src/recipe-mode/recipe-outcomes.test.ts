import assert from "node:assert/strict";
import { it } from "node:test";
import { type JsonObject, type JsonValue, ResourceId } from "@rad/core";
import { mongoConnection } from "../applications-datastores/mongo-databases/connection.ts";
import { redisConnection } from "../applications-datastores/redis-caches/connection.ts";
import { sqlConnection } from "../applications-datastores/sql-databases/connection.ts";
import { rabbitMQConnection } from "../applications-messaging/rabbit-mq-queues/connection.ts";
import { inGroup } from "../testing/ids.ts";
import { componentRecipe } from "./component-recipe.ts";
import { extenderRecipe } from "./extender-recipe.ts";
import { managedSecretName } from "./managed-secret.ts";
import { portableRecipe } from "./portable-recipe.ts";
import type { RecipeOutcome, RecipeType } from "./recipe-type.ts";
import { schemaRecipe } from "./schema-recipe.ts";

interface Given {
  readonly values?: JsonObject;
  readonly secrets?: Record<string, JsonValue>;
  readonly properties?: JsonObject;
  readonly sealed?: JsonObject;
  readonly schema?: JsonObject;
  readonly name?: string;
}

function outcome(type: RecipeType, given: Given): RecipeOutcome {
  const { values = {}, secrets = {}, properties = {}, sealed, schema = {}, name = "db" } = given;
  return type.outcome(
    { values, secrets, resources: [], status: { templateKind: "terraform", templatePath: "m" } },
    {
      id: ResourceId.parse(inGroup(`Test.Recipes/things/${name}`)),
      properties,
      secrets: sealed === undefined ? {} : { "/properties/secrets": sealed },
      schema,
    },
  );
}

const portable: readonly (readonly [
  name: string,
  type: RecipeType,
  given: Given,
  expected: Omit<RecipeOutcome, "values">,
])[] = [
  [
    "a Redis cache takes host, port and password of the recipe, and computes the rest",
    portableRecipe(redisConnection),
    { values: { host: "h", port: 6380.7, other: 1 }, secrets: { password: "p", unknown: "u" } },
    {
      properties: { host: "h", port: 6380, tls: true },
      secretValues: {
        password: "p",
        connectionString: "h:6380,abortConnect=False,ssl=True,password=p",
        url: "rediss://:p@h:6380/0?",
      },
    },
  ],
  [
    "values of the author win over those of the recipe, and what the recipe computed over ours",
    portableRecipe(redisConnection),
    {
      properties: { host: "mine" },
      sealed: { password: "own" },
      values: { host: "h", port: 1, tls: true },
      secrets: { password: "p", url: "made" },
    },
    {
      properties: { host: "mine", port: 1, tls: true },
      secretValues: {
        password: "own",
        connectionString: "mine:1,abortConnect=False,ssl=True,password=own",
        url: "made",
      },
    },
  ],
  [
    "a Mongo database",
    portableRecipe(mongoConnection),
    { values: { host: "h", port: 27017, database: "d", username: "u" }, secrets: { password: "p" } },
    {
      properties: { host: "h", port: 27017, database: "d", username: "u" },
      secretValues: { password: "p", connectionString: "mongodb://u:p@h:27017/d" },
    },
  ],
  [
    "an SQL database",
    portableRecipe(sqlConnection),
    { values: { server: "s", port: 1433, database: "d", username: "u" }, secrets: { password: "p" } },
    {
      properties: { server: "s", port: 1433, database: "d", username: "u" },
      secretValues: {
        password: "p",
        connectionString:
          "Data Source=tcp:s,1433;Initial Catalog=d;User Id=u;Password=p;Encrypt=True;TrustServerCertificate=True",
      },
    },
  ],
  [
    "a RabbitMQ queue",
    portableRecipe(rabbitMQConnection),
    { values: { queue: "q", host: "h", port: 5671, username: "u" }, secrets: { password: "p" } },
    {
      properties: { queue: "q", host: "h", port: 5671, username: "u", tls: true },
      secretValues: { password: "p", uri: "amqps://u:p@h:5671/" },
    },
  ],
  [
    "a Dapr component gets its name in lower case",
    componentRecipe,
    { name: "Orders" },
    { properties: { componentName: "orders" }, secretValues: {} },
  ],
  [
    "an extender takes every value and secret, and keeps what the recipe does not give",
    extenderRecipe,
    {
      properties: { environment: "e", from: "555", to: "777" },
      sealed: { token: "own" },
      values: { to: "888", status: "no", more: { a: 1 } },
      secrets: { key: "k" },
    },
    { properties: { to: "888", more: { a: 1 } }, secretValues: { token: "own", key: "k" } },
  ],
];
for (const [name, type, given, expected] of portable) {
  it(name, () => {
    const { properties, secretValues } = outcome(type, given);
    assert.deepEqual({ properties, secretValues }, expected);
  });
}

const refused: readonly (readonly [name: string, type: RecipeType, given: Given, message: string])[] = [
  [
    "missing values are named all at once",
    portableRecipe(mongoConnection),
    { values: { port: 1 } },
    [
      "validation returned multiple errors:",
      "",
      `the connection value "host" should be provided by the recipe, set '.properties.host' to provide a value manually`,
      `the connection value "database" should be provided by the recipe, set '.properties.database' to provide a value manually`,
    ].join("\n"),
  ],
  [
    "a value of the wrong type is refused",
    portableRecipe(redisConnection),
    { values: { host: "h", port: "6379" } },
    `the connection value "port" provided by the recipe is expected to be a int32, got string`,
  ],
  [
    "a secret of the wrong type is refused",
    portableRecipe(redisConnection),
    { values: { host: "h", port: 1 }, secrets: { password: 7 } },
    `the connection secret "password" provided by the recipe is expected to be a string, got number`,
  ],
  [
    "a secret of an extender has to be a text",
    extenderRecipe,
    { secrets: { k: { a: 1 } } },
    "secret 'k' must be of type string",
  ],
];
for (const [name, type, given, message] of refused) {
  it(name, () => {
    assert.throws(() => outcome(type, given), {
      code: "RecipeValidationFailed",
      recipeStatus: "executionError",
      message,
    });
  });
}

const schema: JsonObject = {
  type: "object",
  properties: {
    environment: { type: "string" },
    host: { type: "string", readOnly: true },
    port: { type: "integer" },
    secrets: { type: "object", properties: { name: { type: "string", readOnly: true } } },
  },
};

it("a user-defined type takes the values that its schema has, and all are computed values", () => {
  const type = schemaRecipe({ isRendered: false });
  const values = { host: "h", port: 1, extra: true, environment: "other" };
  const made = outcome(type, { schema, values, secrets: { password: "p", list: [1], none: null } });

  assert.deepEqual(made, {
    properties: { host: "h", port: 1 },
    values,
    secretValues: {},
    managedSecrets: { password: "p", list: "[1]" },
  });
  const { secrets: _secrets, ...without } = schema["properties"] as JsonObject;
  assert.equal(outcome(type, { schema: { properties: without }, secrets: { a: "b" } }).managedSecrets, undefined);
});

it("a value that does not fit the schema of its type is refused by name", () => {
  assert.throws(() => outcome(schemaRecipe({ isRendered: false }), { schema, values: { port: "1" } }), {
    code: "RecipeValidationFailed",
    message: /^the value "port" provided by the recipe does not fit the schema of the type/,
  });
});

const names: readonly (readonly [owner: string, name: RegExp])[] = [
  ["/planes/radius/local/resourceGroups/default/providers/Radius.Data/redisCaches/cache", /^cache-9faf8bd5-secrets$/],
  [
    `/planes/radius/local/resourceGroups/default/providers/Radius.Data/redisCaches/${"x".repeat(80)}`,
    /^x{46}-[0-9a-f]{8}-secrets$/,
  ],
  [
    "/planes/radius/local/resourceGroups/default/providers/Radius.Data/redisCaches/A_b.C",
    /^a-b-c-[0-9a-f]{8}-secrets$/,
  ],
];
for (const [owner, name] of names) {
  it(`the secrets of ${owner.slice(-20)} have a name that Kubernetes takes`, async () => {
    const made = await managedSecretName(ResourceId.parse(owner));
    assert.match(made, name);
    assert.ok(made.length <= 63);
  });
}

it("values that the schema marks as sensitive are shown nowhere", () => {
  const text = { type: "string", "x-radius-sensitive": true };
  const schema = {
    type: "object",
    properties: { host: { type: "string" }, password: text, login: { type: "object", properties: { key: text } } },
  };
  const values = { host: "h", password: "hunter22", login: { key: "k" }, other: "o" };

  assert.deepEqual(outcome(schemaRecipe({ isRendered: false }), { values, schema }), {
    properties: { host: "h", password: "hunter22", login: { key: "k" } }, // sealed by their own marks
    values: { host: "h", other: "o" },
    secretValues: { password: "hunter22", login: '{"key":"k"}' },
  });
});
