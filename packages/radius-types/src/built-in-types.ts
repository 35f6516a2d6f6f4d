import { applications } from "./applications-core/applications/schema.ts";
import { containers } from "./applications-core/containers/schema.ts";
import { environments } from "./applications-core/environments/schema.ts";
import { extenders } from "./applications-core/extenders/schema.ts";
import { gateways } from "./applications-core/gateways/schema.ts";
import { secretStores } from "./applications-core/secret-stores/schema.ts";
import { volumes } from "./applications-core/volumes/schema.ts";
import { configurationStores } from "./applications-dapr/configuration-stores/schema.ts";
import { pubSubBrokers } from "./applications-dapr/pub-sub-brokers/schema.ts";
import { daprSecretStores } from "./applications-dapr/secret-stores/schema.ts";
import { stateStores } from "./applications-dapr/state-stores/schema.ts";
import { mongoDatabases } from "./applications-datastores/mongo-databases/schema.ts";
import { redisCaches } from "./applications-datastores/redis-caches/schema.ts";
import { sqlDatabases } from "./applications-datastores/sql-databases/schema.ts";
import { rabbitMQQueues } from "./applications-messaging/rabbit-mq-queues/schema.ts";
import { deployments } from "./microsoft-resources/deployments/schema.ts";
import { models } from "./radius-ai/models/schema.ts";
import { search } from "./radius-ai/search/schema.ts";
import { containerImages } from "./radius-compute/container-images/schema.ts";
import { radiusContainers } from "./radius-compute/containers/schema.ts";
import { persistentVolumes } from "./radius-compute/persistent-volumes/schema.ts";
import { routes } from "./radius-compute/routes/schema.ts";
import { radiusApplications } from "./radius-core/applications/schema.ts";
import { bicepSettings } from "./radius-core/bicep-settings/schema.ts";
import { radiusEnvironments } from "./radius-core/environments/schema.ts";
import { recipePacks } from "./radius-core/recipe-packs/schema.ts";
import { terraformSettings } from "./radius-core/terraform-settings/schema.ts";
import { radiusMongoDatabases } from "./radius-data/mongo-databases/schema.ts";
import { mySqlDatabases } from "./radius-data/my-sql-databases/schema.ts";
import { postgreSqlDatabases } from "./radius-data/postgre-sql-databases/schema.ts";
import { radiusRedisCaches } from "./radius-data/redis-caches/schema.ts";
import { sqlServerDatabases } from "./radius-data/sql-server-databases/schema.ts";
import { kafka } from "./radius-messaging/kafka/schema.ts";
import { rabbitMQ } from "./radius-messaging/rabbit-mq/schema.ts";
import { secrets } from "./radius-security/secrets/schema.ts";
import { objectStorage } from "./radius-storage/object-storage/schema.ts";
import type { BuiltInType } from "./built-in-type.ts";

/** Every type that an installation has from the start. */
export const builtInTypes: readonly BuiltInType[] = [
  applications,
  containers,
  environments,
  extenders,
  gateways,
  secretStores,
  volumes,
  configurationStores,
  pubSubBrokers,
  daprSecretStores,
  stateStores,
  mongoDatabases,
  redisCaches,
  sqlDatabases,
  rabbitMQQueues,
  deployments,
  models,
  search,
  containerImages,
  radiusContainers,
  persistentVolumes,
  routes,
  radiusApplications,
  bicepSettings,
  radiusEnvironments,
  recipePacks,
  terraformSettings,
  radiusMongoDatabases,
  mySqlDatabases,
  postgreSqlDatabases,
  radiusRedisCaches,
  sqlServerDatabases,
  kafka,
  rabbitMQ,
  secrets,
  objectStorage,
];
