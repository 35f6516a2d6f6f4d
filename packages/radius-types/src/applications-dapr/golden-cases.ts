import type { BuiltInType } from "../built-in-type.ts";
import type { GoldenType } from "../testing/golden-type.ts";
import { environmentId } from "../testing/ids.ts";
import { configurationStores } from "./configuration-stores/schema.ts";
import { pubSubBrokers } from "./pub-sub-brokers/schema.ts";
import { componentRenderer } from "./render/component-renderer.ts";
import { daprSecretStores } from "./secret-stores/schema.ts";
import { stateStores } from "./state-stores/schema.ts";

const metadata = {
  z: { value: "last" },
  host: { value: "redis.example:6379" },
  password: { secretKeyRef: { name: "redis", key: "password" } },
};
const manual = {
  environment: environmentId,
  resourceProvisioning: "manual",
  type: "state.redis",
  version: "v1",
  metadata,
};
const application = "/planes/radius/local/resourceGroups/app/providers/Applications.Core/applications/shop";
const unset = { "properties.recipe": "A recipe is not allowed beside manual values, and recipes are not run." };

const backed = {
  auth: { secretStore: "vault" },
  resources: [{ id: "/subscriptions/s/resourceGroups/g/providers/Microsoft.Cache/redis/r" }],
};

export const daprGoldens: readonly GoldenType[] = [
  golden(stateStores, "state-stores", {
    cases: [
      { name: "every property", resourceName: "Orders.State", properties: { ...manual, ...backed, application } },
      { name: "of an environment alone", properties: { ...manual, ...backed }, application: null },
    ],
  }),
  golden(pubSubBrokers, "pub-sub-brokers", {
    cases: [{ name: "every property", properties: { ...manual, ...backed, application, type: "pubsub.redis" } }],
  }),
  golden(configurationStores, "configuration-stores", {
    cases: [{ name: "every property", properties: { ...manual, ...backed, application, type: "configuration.redis" } }],
  }),
  golden(daprSecretStores, "secret-stores", {
    cases: [{ name: "every property", properties: { ...manual, application, type: "secretstores.kubernetes" } }],
  }),
];

function golden(type: BuiltInType, folder: string, { cases }: Pick<GoldenType, "cases">): GoldenType {
  return { type, renderer: componentRenderer, folder: new URL(`${folder}/goldens/`, import.meta.url), cases, unset };
}
