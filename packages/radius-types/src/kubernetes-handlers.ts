import type { JsonObject } from "@rad/core";
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
import { chainValidation } from "./chain-validation.ts";
import { forVersions } from "./for-versions.ts";
import type { PortableType } from "./manual-provisioning/portable-type.ts";
import { radiusContainers } from "./radius-compute/containers/schema.ts";
import { persistentVolumes } from "./radius-compute/persistent-volumes/schema.ts";
import { routes } from "./radius-compute/routes/schema.ts";
import { componentRecipe } from "./recipe-mode/component-recipe.ts";
import { extenderRecipe } from "./recipe-mode/extender-recipe.ts";
import { getMetadata } from "./recipe-mode/get-metadata.ts";
import { portableRecipe } from "./recipe-mode/portable-recipe.ts";
import { recipeHandler, type WithoutRecipe } from "./recipe-mode/recipe-handler.ts";
import type { RecipeType } from "./recipe-mode/recipe-type.ts";
import { schemaRecipe } from "./recipe-mode/schema-recipe.ts";
import { userTypeHandler } from "./recipe-mode/user-type-handler.ts";
import { withoutRenderer } from "./recipe-mode/without-renderer.ts";
import type { RecipeEngine } from "./recipes/recipe-engine.ts";
import { kafka } from "./radius-messaging/kafka/schema.ts";
import { rabbitMQ } from "./radius-messaging/rabbit-mq/schema.ts";
import { objectStorage } from "./radius-storage/object-storage/schema.ts";
import { models } from "./radius-ai/models/schema.ts";
import { search } from "./radius-ai/search/schema.ts";
import { containerImages } from "./radius-compute/container-images/schema.ts";
import { radiusMongoDatabases } from "./radius-data/mongo-databases/schema.ts";
import { mySqlDatabases } from "./radius-data/my-sql-databases/schema.ts";
import { postgreSqlDatabases } from "./radius-data/postgre-sql-databases/schema.ts";
import { radiusRedisCaches } from "./radius-data/redis-caches/schema.ts";
import { sqlServerDatabases } from "./radius-data/sql-server-databases/schema.ts";
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

const byRecipe = schemaRecipe({ isRendered: false });
const renderedOrByRecipe = schemaRecipe({ isRendered: true });

/** The third member is for types that recipes can make, too. */
const rendered: readonly (readonly [BuiltInType, LoadRenderer, RecipeType?])[] = [
  [
    containers,
    async () => (await import("./applications-core/containers/render/render-container.ts")).containerRenderer,
  ],
  [gateways, async () => (await import("./applications-core/gateways/render/gateway-renderer.ts")).gatewayRenderer],
  [volumes, async () => (await import("./applications-core/volumes/render.ts")).volumeRenderer],
  [
    extenders,
    async () => (await import("./applications-core/extenders/extender-renderer.ts")).extenderRenderer,
    extenderRecipe,
  ],
  [configurationStores, component, componentRecipe],
  [pubSubBrokers, component, componentRecipe],
  [daprSecretStores, component, componentRecipe],
  [stateStores, component, componentRecipe],
  [mongoDatabases, portable(mongoConnection), portableRecipe(mongoConnection)],
  [redisCaches, portable(redisConnection), portableRecipe(redisConnection)],
  [sqlDatabases, portable(sqlConnection), portableRecipe(sqlConnection)],
  [rabbitMQQueues, portable(rabbitMQConnection), portableRecipe(rabbitMQConnection)],
  [
    radiusContainers,
    async () =>
      (await import("./radius-compute/containers/render/radius-containers-renderer.ts")).radiusContainersRenderer,
    renderedOrByRecipe,
  ],
  [
    persistentVolumes,
    async () => (await import("./radius-compute/persistent-volumes/render.ts")).persistentVolumeRenderer,
    renderedOrByRecipe,
  ],
  [
    routes,
    async () => (await import("./radius-compute/routes/render/routes-renderer.ts")).routesRenderer,
    renderedOrByRecipe,
  ],
  [secrets, async () => (await import("./radius-security/secrets/render.ts")).secretsRenderer, renderedOrByRecipe],
];

/** Types that only recipes make. */
const madeByRecipes: readonly BuiltInType[] = [
  models,
  search,
  containerImages,
  radiusMongoDatabases,
  mySqlDatabases,
  postgreSqlDatabases,
  radiusRedisCaches,
  sqlServerDatabases,
  kafka,
  rabbitMQ,
  objectStorage,
];

export interface HandlerDeps extends RenderingDeps {
  /** Absent where no recipes are run. */
  readonly recipes?: RecipeEngine;
}

/** Code that deploys built-in types to Kubernetes and by recipes, to be laid over their schemas. */
export function kubernetesHandlers(deps: HandlerDeps): readonly TypeModule[] {
  const { recipes } = deps;
  return [
    ...rendered.map(([type, load, recipeType]) => {
      const code = lazilyRendered(load, deps);
      return withCode(type, { ...code, ...withRecipes(type, recipeType, recipes, code) });
    }),
    ...(recipes === undefined ? [] : madeByRecipes).map((type) =>
      withCode(type, withRecipes(type, byRecipe, recipes, withoutRenderer)),
    ),
    withCode(applications, applicationHandler(deps)),
    withCode(environments, {
      ...environmentHandler(deps),
      ...(recipes === undefined ? {} : { actions: { getMetadata: getMetadata(recipes) } }),
    }),
    withCode(radiusEnvironments, radiusEnvironmentHandler(deps)),
    withCode(secretStores, secretStoreHandler(deps)),
  ];
}

/** Code behind types that clients register, where recipes are run. */
export function registeredTypeHandler({ recipes }: HandlerDeps): ResourceHandler | undefined {
  return recipes === undefined ? undefined : userTypeHandler(recipes);
}

function withRecipes(
  { versions }: BuiltInType,
  type: RecipeType | undefined,
  recipes: RecipeEngine | undefined,
  otherwise: WithoutRecipe,
): ResourceHandler {
  if (type === undefined || recipes === undefined) {
    return otherwise;
  }
  const schema = ({ apiVersion }: { readonly apiVersion: string }): Promise<JsonObject> =>
    Promise.resolve(versions[apiVersion] ?? {});
  return recipeHandler({ type, recipes, otherwise, schema });
}

/** What the type does without a cluster, such as its actions, it goes on doing. */
function withCode({ name, versions, handler: known = {} }: BuiltInType, code: ResourceHandler): TypeModule {
  const ours = forVersions(versions, code);
  const validate = chainValidation(known, ours);
  return {
    name,
    handler: {
      ...known,
      ...ours,
      ...(validate === undefined ? {} : { validate }),
      actions: { ...known.actions, ...code.actions },
    },
  };
}

function lazilyRendered(
  load: LoadRenderer,
  deps: RenderingDeps,
): WithoutRecipe & Required<Pick<ResourceHandler, "validate">> {
  const loaded = async (): Promise<ReturnType<typeof renderedHandler>> => renderedHandler(await load(), deps);
  return {
    validate: async (request) => await (await loaded()).validate(request),
    put: async (context) => await (await loaded()).put(context),
    delete: async (context) => await (await loaded()).delete(context),
    preview: async (context) => await (await loaded()).preview(context),
  };
}
