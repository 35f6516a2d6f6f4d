import type { JsonObject } from "@rad/core";
import { extenderRenderer } from "../applications-core/extenders/extender-renderer.ts";
import { extenders } from "../applications-core/extenders/schema.ts";
import { mongoConnection } from "../applications-datastores/mongo-databases/connection.ts";
import { mongoDatabases } from "../applications-datastores/mongo-databases/schema.ts";
import { redisConnection } from "../applications-datastores/redis-caches/connection.ts";
import { redisCaches } from "../applications-datastores/redis-caches/schema.ts";
import { sqlConnection } from "../applications-datastores/sql-databases/connection.ts";
import { sqlDatabases } from "../applications-datastores/sql-databases/schema.ts";
import { rabbitMQConnection } from "../applications-messaging/rabbit-mq-queues/connection.ts";
import { rabbitMQQueues } from "../applications-messaging/rabbit-mq-queues/schema.ts";
import type { BuiltInType } from "../built-in-type.ts";
import { portableRenderer } from "../manual-provisioning/portable-renderer.ts";
import type { Renderer } from "../rendering/renderer.ts";
import type { GoldenCase, GoldenType } from "./golden-type.ts";
import { applicationId, environmentId } from "./ids.ts";

const common = {
  environment: environmentId,
  application: applicationId,
  resourceProvisioning: "manual",
  recipe: { name: "unused", parameters: { size: 1 } },
  resources: [{ id: "/subscriptions/s/resourceGroups/g/providers/Microsoft.Cache/redis/r" }],
};
const bare = { environment: environmentId, resourceProvisioning: "manual" };

/** Types whose values the author gives. They render no objects; what matters is what those get who connect to them. */
export const portableGoldens: readonly GoldenType[] = [
  portable(redisCaches, portableRenderer(redisConnection), "../applications-datastores/redis-caches/", [
    withSecrets(
      "every property",
      { ...common, host: "redis.example", port: 6380, username: "ann", tls: false },
      {
        password: "secret",
        connectionString: "given",
        url: "given",
      },
    ),
    withSecrets(
      "computed with TLS",
      { ...bare, host: "redis.example", port: 6380, username: "ann" },
      { password: "secret" },
    ),
    withSecrets("computed without a user", { ...bare, host: "redis.example", port: 6379 }, { password: "secret" }),
    { name: "computed without secrets", properties: { ...bare, host: "redis.example", port: 6379 } },
  ]),
  portable(mongoDatabases, portableRenderer(mongoConnection), "../applications-datastores/mongo-databases/", [
    withSecrets(
      "every property",
      { ...common, host: "mongo.example", port: 27017, database: "shop", username: "ann" },
      {
        password: "secret",
        connectionString: "given",
      },
    ),
    withSecrets(
      "computed",
      { ...bare, host: "mongo.example", port: 27017, database: "shop", username: "ann" },
      {
        password: "secret",
      },
    ),
    { name: "computed without secrets", properties: { ...bare, host: "mongo.example", port: 27017, database: "shop" } },
  ]),
  portable(sqlDatabases, portableRenderer(sqlConnection), "../applications-datastores/sql-databases/", [
    withSecrets(
      "every property",
      { ...common, server: "sql.example", port: 1433, database: "shop", username: "ann" },
      {
        password: "secret",
        connectionString: "given",
      },
    ),
    withSecrets(
      "computed",
      { ...bare, server: "sql.example", port: 1433, database: "shop", username: "ann" },
      {
        password: "secret",
      },
    ),
  ]),
  portable(rabbitMQQueues, portableRenderer(rabbitMQConnection), "../applications-messaging/rabbit-mq-queues/", [
    withSecrets(
      "every property",
      { ...common, queue: "jobs", host: "mq.example", port: 5671, vHost: "shop", username: "ann", tls: false },
      { password: "secret", uri: "given" },
    ),
    withSecrets(
      "computed with TLS",
      { ...bare, queue: "jobs", host: "mq.example", port: 5671, vHost: "shop", username: "ann" },
      {
        password: "secret",
      },
    ),
    { name: "computed without secrets", properties: { ...bare, queue: "jobs", host: "mq.example", port: 5672 } },
  ]),
  portable(extenders, extenderRenderer, "../applications-core/extenders/", [
    withSecrets(
      "every property",
      {
        environment: environmentId,
        application: applicationId,
        resourceProvisioning: "manual",
        recipe: { name: "unused", parameters: { size: 1 } },
        fromNumber: "555",
        limits: { perDay: 7 },
      },
      { accountSid: "secret", port: 7 },
    ),
  ]),
];

function withSecrets(name: string, properties: JsonObject, secrets: JsonObject): GoldenCase {
  return { name, properties: { ...properties, secrets }, secrets: { "/properties/secrets": secrets } };
}

function portable(type: BuiltInType, renderer: Renderer, folder: string, cases: readonly GoldenCase[]): GoldenType {
  return { type, renderer, folder: new URL(`${folder}goldens/`, import.meta.url), cases };
}
