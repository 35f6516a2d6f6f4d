import type { JsonObject } from "@rad/core";
import { fullBodies as applications } from "../applications-core/applications/full-body.ts";
import { fullBodies as containers } from "../applications-core/containers/full-body.ts";
import { fullBodies as environments } from "../applications-core/environments/full-body.ts";
import { fullBodies as extenders } from "../applications-core/extenders/full-body.ts";
import { fullBodies as gateways } from "../applications-core/gateways/full-body.ts";
import { fullBodies as secretStores } from "../applications-core/secret-stores/full-body.ts";
import { fullBodies as volumes } from "../applications-core/volumes/full-body.ts";
import { fullBodies as configurationStores } from "../applications-dapr/configuration-stores/full-body.ts";
import { fullBodies as pubSubBrokers } from "../applications-dapr/pub-sub-brokers/full-body.ts";
import { fullBodies as daprSecretStores } from "../applications-dapr/secret-stores/full-body.ts";
import { fullBodies as stateStores } from "../applications-dapr/state-stores/full-body.ts";
import { fullBodies as mongoDatabases } from "../applications-datastores/mongo-databases/full-body.ts";
import { fullBodies as redisCaches } from "../applications-datastores/redis-caches/full-body.ts";
import { fullBodies as sqlDatabases } from "../applications-datastores/sql-databases/full-body.ts";
import { fullBodies as rabbitMQQueues } from "../applications-messaging/rabbit-mq-queues/full-body.ts";
import { fullBodies as models } from "../radius-ai/models/full-body.ts";
import { fullBodies as search } from "../radius-ai/search/full-body.ts";
import { fullBodies as containerImages } from "../radius-compute/container-images/full-body.ts";
import { fullBodies as radiusContainers } from "../radius-compute/containers/full-body.ts";
import { fullBodies as persistentVolumes } from "../radius-compute/persistent-volumes/full-body.ts";
import { fullBodies as routes } from "../radius-compute/routes/full-body.ts";
import { fullBodies as radiusApplications } from "../radius-core/applications/full-body.ts";
import { fullBodies as bicepSettings } from "../radius-core/bicep-settings/full-body.ts";
import { fullBodies as radiusEnvironments } from "../radius-core/environments/full-body.ts";
import { fullBodies as recipePacks } from "../radius-core/recipe-packs/full-body.ts";
import { fullBodies as terraformSettings } from "../radius-core/terraform-settings/full-body.ts";
import { fullBodies as radiusMongoDatabases } from "../radius-data/mongo-databases/full-body.ts";
import { fullBodies as mySqlDatabases } from "../radius-data/my-sql-databases/full-body.ts";
import { fullBodies as postgreSqlDatabases } from "../radius-data/postgre-sql-databases/full-body.ts";
import { fullBodies as radiusRedisCaches } from "../radius-data/redis-caches/full-body.ts";
import { fullBodies as sqlServerDatabases } from "../radius-data/sql-server-databases/full-body.ts";
import { fullBodies as kafka } from "../radius-messaging/kafka/full-body.ts";
import { fullBodies as rabbitMQ } from "../radius-messaging/rabbit-mq/full-body.ts";
import { fullBodies as secrets } from "../radius-security/secrets/full-body.ts";
import { fullBodies as objectStorage } from "../radius-storage/object-storage/full-body.ts";

export { goldenContext, goldenResource } from "./golden-type.ts";
export type { GoldenCase, GoldenType } from "./golden-type.ts";
export { goldenTypes } from "./golden-types.ts";
export { plantCanaries } from "./plant-canaries.ts";

/** Properties of every built-in type with a schema that together use every member of it, read-only ones aside. */
export const fullBodies: Readonly<Record<string, readonly JsonObject[]>> = {
  "Applications.Core/applications": applications,
  "Applications.Core/containers": containers,
  "Applications.Core/environments": environments,
  "Applications.Core/extenders": extenders,
  "Applications.Core/gateways": gateways,
  "Applications.Core/secretStores": secretStores,
  "Applications.Core/volumes": volumes,
  "Applications.Dapr/configurationStores": configurationStores,
  "Applications.Dapr/pubSubBrokers": pubSubBrokers,
  "Applications.Dapr/secretStores": daprSecretStores,
  "Applications.Dapr/stateStores": stateStores,
  "Applications.Datastores/mongoDatabases": mongoDatabases,
  "Applications.Datastores/redisCaches": redisCaches,
  "Applications.Datastores/sqlDatabases": sqlDatabases,
  "Applications.Messaging/rabbitMQQueues": rabbitMQQueues,
  "Radius.AI/models": models,
  "Radius.AI/search": search,
  "Radius.Compute/containerImages": containerImages,
  "Radius.Compute/containers": radiusContainers,
  "Radius.Compute/persistentVolumes": persistentVolumes,
  "Radius.Compute/routes": routes,
  "Radius.Core/applications": radiusApplications,
  "Radius.Core/bicepSettings": bicepSettings,
  "Radius.Core/environments": radiusEnvironments,
  "Radius.Core/recipePacks": recipePacks,
  "Radius.Core/terraformSettings": terraformSettings,
  "Radius.Data/mongoDatabases": radiusMongoDatabases,
  "Radius.Data/mySqlDatabases": mySqlDatabases,
  "Radius.Data/postgreSqlDatabases": postgreSqlDatabases,
  "Radius.Data/redisCaches": radiusRedisCaches,
  "Radius.Data/sqlServerDatabases": sqlServerDatabases,
  "Radius.Messaging/kafka": kafka,
  "Radius.Messaging/rabbitMQ": rabbitMQ,
  "Radius.Security/secrets": secrets,
  "Radius.Storage/objectStorage": objectStorage,
};
