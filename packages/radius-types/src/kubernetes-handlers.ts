import type { ResourceHandler, TypeModule } from "@rad/resources";
import { applicationHandler } from "./applications-core/applications/application-handler.ts";
import { applications } from "./applications-core/applications/schema.ts";
import { containers } from "./applications-core/containers/schema.ts";
import { environmentHandler } from "./applications-core/environments/environment-handler.ts";
import { environments } from "./applications-core/environments/schema.ts";
import { extenders } from "./applications-core/extenders/schema.ts";
import { gateways } from "./applications-core/gateways/schema.ts";
import { secretStores } from "./applications-core/secret-stores/schema.ts";
import { secretStoreHandler } from "./applications-core/secret-stores/secret-store-handler.ts";
import { volumes } from "./applications-core/volumes/schema.ts";
import { configurationStores } from "./applications-dapr/configuration-stores/schema.ts";
import { pubSubBrokers } from "./applications-dapr/pub-sub-brokers/schema.ts";
import { daprSecretStores } from "./applications-dapr/secret-stores/schema.ts";
import { stateStores } from "./applications-dapr/state-stores/schema.ts";
import { mongoConnection } from "./applications-datastores/mongo-databases/connection.ts";
import { mongoDatabases } from "./applications-datastores/mongo-databases/schema.ts";
import { redisConnection } from "./applications-datastores/redis-caches/connection.ts";
import { redisCaches } from "./applications-datastores/redis-caches/schema.ts";
import { sqlConnection } from "./applications-datastores/sql-databases/connection.ts";
import { sqlDatabases } from "./applications-datastores/sql-databases/schema.ts";
import { rabbitMQConnection } from "./applications-messaging/rabbit-mq-queues/connection.ts";
import { rabbitMQQueues } from "./applications-messaging/rabbit-mq-queues/schema.ts";
import type { BuiltInType } from "./built-in-type.ts";
import type { PortableType } from "./manual-provisioning/portable-type.ts";
import { radiusContainers } from "./radius-compute/containers/schema.ts";
import { persistentVolumes } from "./radius-compute/persistent-volumes/schema.ts";
import { routes } from "./radius-compute/routes/schema.ts";
import { radiusEnvironmentHandler } from "./radius-core/environments/radius-environment-handler.ts";
import { radiusEnvironments } from "./radius-core/environments/schema.ts";
import { secrets } from "./radius-security/secrets/schema.ts";
import { renderedHandler } from "./rendering/rendered-handler.ts";
import type { Renderer } from "./rendering/renderer.ts";
import type { RenderingDeps } from "./rendering/rendering-deps.ts";

/** Renderers are loaded when the first resource of their type is written: most servers have few types. */
type LoadRenderer = () => Promise<Renderer>;

const component: LoadRenderer = async () =>
  (await import("./applications-dapr/render/component-renderer.ts")).componentRenderer;

function portable(type: PortableType): LoadRenderer {
  return async () => (await import("./manual-provisioning/portable-renderer.ts")).portableRenderer(type);
}

const rendered: readonly (readonly [BuiltInType, LoadRenderer])[] = [
  [
    containers,
    async () => (await import("./applications-core/containers/render/render-container.ts")).containerRenderer,
  ],
  [gateways, async () => (await import("./applications-core/gateways/render/gateway-renderer.ts")).gatewayRenderer],
  [volumes, async () => (await import("./applications-core/volumes/render.ts")).volumeRenderer],
  [extenders, async () => (await import("./applications-core/extenders/extender-renderer.ts")).extenderRenderer],
  [configurationStores, component],
  [pubSubBrokers, component],
  [daprSecretStores, component],
  [stateStores, component],
  [mongoDatabases, portable(mongoConnection)],
  [redisCaches, portable(redisConnection)],
  [sqlDatabases, portable(sqlConnection)],
  [rabbitMQQueues, portable(rabbitMQConnection)],
  [
    radiusContainers,
    async () =>
      (await import("./radius-compute/containers/render/radius-containers-renderer.ts")).radiusContainersRenderer,
  ],
  [
    persistentVolumes,
    async () => (await import("./radius-compute/persistent-volumes/render.ts")).persistentVolumeRenderer,
  ],
  [routes, async () => (await import("./radius-compute/routes/render/routes-renderer.ts")).routesRenderer],
  [secrets, async () => (await import("./radius-security/secrets/render.ts")).secretsRenderer],
];

/** Code that deploys built-in types to Kubernetes, to be laid over their schemas. */
export function kubernetesHandlers(deps: RenderingDeps): readonly TypeModule[] {
  return [
    ...rendered.map(([type, load]) => withCode(type, lazilyRendered(load, deps))),
    withCode(applications, applicationHandler(deps)),
    withCode(environments, environmentHandler(deps)),
    withCode(radiusEnvironments, radiusEnvironmentHandler(deps)),
    withCode(secretStores, secretStoreHandler(deps)),
  ];
}

/** What the type does without a cluster, such as its actions, it goes on doing. */
function withCode({ name, versions, handler: known = {} }: BuiltInType, code: ResourceHandler): TypeModule {
  return {
    name,
    handler: { ...known, ...forVersions(versions, code), actions: { ...known.actions, ...code.actions } },
  };
}

/** A version that a client registered has a schema of its own, which our code knows nothing of: it is only recorded. */
function forVersions(versions: BuiltInType["versions"], code: ResourceHandler): ResourceHandler {
  const isOurs = ({ apiVersion }: { readonly apiVersion: string }): boolean => Object.hasOwn(versions, apiVersion);
  return {
    ...code,
    ...(code.validate && {
      validate: async (request) => (isOurs(request) ? await code.validate?.(request) : undefined),
    }),
    ...(code.put && { put: async (context) => (isOurs(context) ? await code.put?.(context) : undefined) }),
    ...(code.preview && {
      preview: async (context) => (isOurs(context) && (await code.preview?.(context))) || { changes: [], warnings: [] },
    }),
  };
}

function lazilyRendered(load: LoadRenderer, deps: RenderingDeps): ResourceHandler {
  const loaded = async (): Promise<ReturnType<typeof renderedHandler>> => renderedHandler(await load(), deps);
  return {
    validate: async (request) => await (await loaded()).validate(request),
    put: async (context) => await (await loaded()).put(context),
    delete: async (context) => await (await loaded()).delete(context),
    preview: async (context) => await (await loaded()).preview(context),
  };
}
