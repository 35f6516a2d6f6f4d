import { inGroup } from "../testing/ids.ts";
import type { GoldenCase, GoldenType } from "../testing/golden-type.ts";
import { fullBodies as containerBodies } from "./containers/full-body.ts";
import { radiusContainersRenderer } from "./containers/render/radius-containers-renderer.ts";
import { radiusContainers } from "./containers/schema.ts";
import { fullBodies as volumeBodies } from "./persistent-volumes/full-body.ts";
import { persistentVolumeRenderer } from "./persistent-volumes/render.ts";
import { persistentVolumes } from "./persistent-volumes/schema.ts";
import { fullBodies as routeBodies } from "./routes/full-body.ts";
import { routesRenderer } from "./routes/render/routes-renderer.ts";
import { routes } from "./routes/schema.ts";

const environment = inGroup("Radius.Core/environments/env");
const application = inGroup("Radius.Core/applications/shop");
const scope = { environment, application };
const radiusCore = {
  environmentId: environment,
  environment: { providers: { kubernetes: { namespace: "apps" } } },
  applicationId: application,
} satisfies Partial<GoldenCase>;

const volumeId = inGroup("Radius.Compute/persistentVolumes/v");
const cacheId = inGroup("Radius.Data/redisCaches/cache");
const secretsId = inGroup("Radius.Security/secrets/Tokens");
const redisId = inGroup("Applications.Datastores/redisCaches/redis");
const webId = inGroup("Radius.Compute/containers/web");

const defaultPack = {
  recipes: {
    "Radius.Compute/routes": {
      kind: "bicep",
      source: "ghcr.io/radius-project/kube-recipes/routes:latest",
      parameters: { gatewayName: "edge", gatewayNamespace: "edge-system" },
    },
  },
};
const rule = (name: string, port: number) => ({
  matches: [],
  destinationContainer: { resourceId: webId, containerName: name, containerPort: port },
});

export const computeGoldens: readonly GoldenType[] = [
  {
    type: radiusContainers,
    renderer: radiusContainersRenderer,
    folder: new URL("containers/goldens/", import.meta.url),
    unset: {
      "properties.containers.*.readinessProbe.terminationGracePeriodSeconds":
        "Kubernetes refuses it: such a probe ends nothing.",
    },
    cases: [
      ...containerBodies.slice(0, 1).map((properties) => ({
        name: "every property",
        properties,
        dependencies: [{ id: volumeId }],
      })),
      {
        name: "one container in an environment of Radius.Core",
        resourceName: "Web",
        ...radiusCore,
        properties: { ...scope, containers: { web: { image: "web:1", ports: { http: { containerPort: 3000 } } } } },
      },
      {
        name: "init containers and sidecars",
        ...radiusCore,
        properties: {
          ...scope,
          containers: {
            second: { image: "init:2", initContainer: true, ports: { unused: { containerPort: 1 } } },
            web: {
              image: "web:1",
              ports: { http: { containerPort: 3000 }, dns: { containerPort: 53, protocol: "UDP" } },
            },
            first: { image: "init:1", initContainer: true },
            agent: { image: "agent:1", ports: { http: { containerPort: 9000 } } },
          },
          extensions: { daprSidecar: {} },
        },
      },
      {
        name: "connections",
        ...radiusCore,
        properties: {
          ...scope,
          containers: {
            web: {
              image: "web:1",
              env: {
                URL: { value: "redis://$(CONNECTION_CACHE_HOST)" },
                CONNECTION_CACHE_PORT: { value: "7" },
                KEY: { valueFrom: { secretKeyRef: { secretName: "S", key: "k" } } },
              },
            },
          },
          connections: {
            cache: { source: cacheId },
            tokens: { source: secretsId },
            db: { source: inGroup("Radius.Data/neo4jDatabases/db") },
            redis: { source: redisId },
            quiet: { source: inGroup("Radius.Data/redisCaches/quiet"), disableDefaultEnvVars: true },
          },
        },
        dependencies: [
          {
            id: cacheId,
            properties: {
              host: "cache.apps",
              port: 6379,
              tls: false,
              size: null,
              recipe: { name: "default" },
              provisioningState: "Succeeded",
              secrets: { name: "cache-secrets" },
            },
          },
          { id: secretsId, properties: { kind: "generic", data: { token: { value: null } } } },
          { id: inGroup("Radius.Data/neo4jDatabases/db"), properties: { secretName: "DB-secret", database: "neo4j" } },
          {
            id: redisId,
            properties: { host: "redis.example" },
            values: { host: "redis.example", port: 6379 },
            secretValues: { password: "secret" },
          },
        ],
      },
      {
        name: "volumes of every kind",
        ...radiusCore,
        properties: {
          ...scope,
          containers: {
            web: {
              image: "web:1",
              volumeMounts: ["claimed", "shared", "scratch", "keys"].map((volumeName) => ({
                volumeName,
                mountPath: `/${volumeName}`,
              })),
            },
          },
          volumes: {
            claimed: { persistentVolume: { resourceId: volumeId } },
            shared: { persistentVolume: { resourceId: volumeId, accessMode: "ReadOnlyMany" } },
            scratch: { emptyDir: { medium: "disk" } },
            keys: { secretName: "Keys" },
          },
        },
        dependencies: [{ id: volumeId }],
      },
      {
        name: "platform options patch the pod",
        ...radiusCore,
        properties: {
          ...scope,
          containers: { web: { image: "web:1" } },
          platformOptions: {
            kubernetes: {
              containers: [
                { name: "web", securityContext: { readOnlyRootFilesystem: true } },
                { name: "sidecar", image: "sidecar:1" },
              ],
              tolerations: [{ key: "spot", operator: "Exists" }],
            },
            azure: { ignored: true },
          },
        },
      },
    ],
  },
  {
    type: persistentVolumes,
    renderer: persistentVolumeRenderer,
    folder: new URL("persistent-volumes/goldens/", import.meta.url),
    cases: [
      ...volumeBodies.map((properties) => ({ name: "every property", properties })),
      { name: "defaults", ...radiusCore, resourceName: "Data", properties: { ...scope, sizeInGib: 5 } },
    ],
  },
  {
    type: routes,
    renderer: routesRenderer,
    folder: new URL("routes/goldens/", import.meta.url),
    cases: [
      ...routeBodies.map((properties) => ({ name: "every property", properties, dependencies: [{ id: webId }] })),
      {
        name: "the gateway that the recipe pack names",
        ...radiusCore,
        properties: { ...scope, rules: [{ ...rule("web", 3000), matches: [{ httpPath: "/api" }, {}] }] },
        recipePacks: [defaultPack],
        dependencies: [{ id: webId }],
      },
      {
        name: "parameters of the environment and the resource win",
        ...radiusCore,
        environment: {
          ...radiusCore.environment,
          recipeParameters: {
            "radius.compute/ROUTES": { gatewayName: "environment", gatewayNamespace: "environment" },
          },
        },
        properties: {
          ...scope,
          rules: [rule("web", 3000)],
          recipe: { name: "default", parameters: { gatewayName: "own" } },
        },
        recipePacks: [defaultPack],
        dependencies: [{ id: webId }],
      },
      {
        name: "TLS",
        ...radiusCore,
        properties: {
          ...scope,
          kind: "TLS",
          hostnames: ["shop.example", "www.shop.example"],
          rules: [rule("web", 8443)],
        },
        dependencies: [{ id: webId }],
      },
      {
        name: "TCP",
        ...radiusCore,
        properties: { ...scope, kind: "TCP", rules: [rule("db", 5432)] },
        dependencies: [{ id: webId }],
      },
      {
        name: "UDP",
        ...radiusCore,
        properties: {
          ...scope,
          kind: "UDP",
          rules: [
            {
              matches: [],
              destinationContainer: {
                resourceId: inGroup("Applications.Core/containers/dns"),
                containerName: "dns",
                containerPort: 53,
              },
            },
          ],
        },
        dependencies: [{ id: inGroup("Applications.Core/containers/dns") }],
      },
    ],
  },
];
