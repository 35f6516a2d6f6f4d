import type { JsonObject } from "@rad/core";

/** An application with a secret store and containers, each of which uses all values of the store. */
export interface Fleet {
  /** Of the environment; the application's is `<namespace>-fleet`. */
  readonly namespace: string;
  readonly containers: readonly string[];
  /** Values of the store by key. */
  readonly secrets: Readonly<Record<string, string>>;
}

export const fleetVersion = { apiVersion: "2023-10-01-preview" };

/** Its parameter `secrets` is a secure object. */
export function fleetTemplate({ namespace, containers, secrets }: Fleet): JsonObject {
  const keys = Object.keys(secrets);
  return {
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    languageVersion: "2.1-experimental",
    contentVersion: "1.0.0.0",
    imports: { radius: { provider: "Radius", version: "latest" } },
    parameters: { secrets: { type: "secureObject" } },
    resources: {
      environment: resource("environments", "fleet", { compute: { kind: "kubernetes", namespace } }),
      application: resource("applications", "fleet", { environment: "[reference('environment').id]" }),
      store: resource("secretStores", "keys", {
        application: "[reference('application').id]",
        type: "generic",
        data: Object.fromEntries(keys.map((key) => [key, { value: `[parameters('secrets').${key}]` }])),
      }),
      ...Object.fromEntries(containers.map((name) => [name, container(name, keys)])),
    },
  };
}

/** What the namespace of the application holds then. */
export function fleetObjects({ containers }: Pick<Fleet, "containers">): readonly string[] {
  const kinds = ["Deployment", "Role", "RoleBinding", "Service", "ServiceAccount"];
  return ["Secret/keys", ...containers.flatMap((name) => kinds.map((kind) => `${kind}/${name}`))].toSorted();
}

function container(name: string, keys: readonly string[]): JsonObject {
  const reference = (key: string): JsonObject => ({
    valueFrom: { secretRef: { source: "[reference('store').id]", key } },
  });
  return resource("containers", name, {
    application: "[reference('application').id]",
    container: {
      image: "ghcr.io/example/app:1",
      ports: { http: { containerPort: 8080 } },
      env: Object.fromEntries(keys.map((key) => [key.toUpperCase(), reference(key)])),
    },
  });
}

function resource(type: string, name: string, properties: JsonObject): JsonObject {
  return {
    import: "radius",
    type: `Applications.Core/${type}@${fleetVersion.apiVersion}`,
    properties: { name, location: "global", properties },
  };
}
