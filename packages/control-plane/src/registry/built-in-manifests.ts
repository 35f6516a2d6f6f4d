import type { Manifest } from "@rad/resource-types";

/** Api-versions that deployments are asked for with, the oldest first: clients differ in which one they know. */
export const deploymentApiVersions = ["2020-10-01", "2022-09-01", "2025-04-01"] as const;

/** Types that every installation knows, registered like anybody else's. They accept any properties. */
export const builtInManifests: readonly Manifest[] = [
  manifest("Microsoft.Resources", deploymentApiVersions, {
    deployments: "A template that was deployed to a resource group, and what came of it.",
  }),
  manifest("Radius.Core", ["2025-08-01-preview"], {
    environments: "Where applications are deployed to: recipe packs, settings and cloud scopes.",
    applications: "A set of resources that belong together.",
    recipePacks: "Recipes by resource type, to be shared by environments.",
    terraformSettings: "How Terraform is configured for the recipes of an environment.",
    bicepSettings: "How Bicep recipes of an environment reach their registries.",
  }),
  manifest("Applications.Core", ["2023-10-01-preview"], {
    environments: "Where applications are deployed to, with the recipes they may use.",
    applications: "A set of resources that belong together.",
    containers: "A container that runs as a part of an application.",
    gateways: "Lets traffic from outside in to containers.",
    secretStores: "Secrets, or a reference to where they are kept.",
    extenders: "Anything that a recipe makes and no other type describes.",
    volumes: "Storage that containers mount.",
  }),
  manifest("Applications.Datastores", ["2023-10-01-preview"], {
    mongoDatabases: "A MongoDB database.",
    redisCaches: "A Redis cache.",
    sqlDatabases: "A Microsoft SQL database.",
  }),
  manifest("Applications.Messaging", ["2023-10-01-preview"], {
    rabbitMQQueues: "A RabbitMQ queue.",
  }),
  manifest("Applications.Dapr", ["2023-10-01-preview"], {
    configurationStores: "A Dapr configuration store.",
    pubSubBrokers: "A Dapr message broker.",
    secretStores: "A Dapr secret store.",
    stateStores: "A Dapr state store.",
  }),
];

function manifest(
  namespace: string,
  versions: readonly string[],
  descriptions: Readonly<Record<string, string>>,
): Manifest {
  return {
    namespace,
    location: { name: "global" },
    types: Object.entries(descriptions).map(([name, description]) => ({
      name,
      description,
      capabilities: [],
      apiVersions: versions.map((version) => ({ name: version, schema: {} })),
    })),
  };
}
