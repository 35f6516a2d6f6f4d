/** Files of a folder with a small extension, `contoso`, whose types use every flag that limits and rules ask about. */
export const contosoFiles: Readonly<Record<string, string>> = {
  "bicepconfig.json": JSON.stringify({
    extensions: { contoso: "./contoso" },
    experimentalFeaturesEnabled: { moduleExtensionConfigs: true },
  }),
  "contoso/index.json": JSON.stringify({
    resources: {
      "Contoso/queues@1": { $ref: "types.json#/3" },
      "Contoso/facts@1": { $ref: "types.json#/4" },
      "Contoso/reports@1": { $ref: "types.json#/5" },
      "Contoso/orders@1": { $ref: "types.json#/7" },
    },
    settings: { name: "Contoso", version: "1.0.0", isSingleton: false, configurationType: { $ref: "types.json#/6" } },
  }),
  "contoso/types.json": JSON.stringify([
    { $type: "StringType" },
    { $type: "StringType", sensitive: true },
    {
      $type: "ObjectType",
      name: "queue",
      properties: {
        // required, known in advance, identifies the resource
        name: { type: { $ref: "#/0" }, flags: 25 },
        // read only, known in advance
        id: { type: { $ref: "#/0" }, flags: 10 },
        text: { type: { $ref: "#/0" }, flags: 0 },
        secret: { type: { $ref: "#/1" }, flags: 0 },
      },
    },
    { $type: "ResourceType", name: "Contoso/queues@1", body: { $ref: "#/2" } },
    // only to be read
    { $type: "ResourceType", name: "Contoso/facts@1", body: { $ref: "#/2" }, writableScopes: 0, readableScopes: 8 },
    // deployed to subscriptions, read in resource groups
    { $type: "ResourceType", name: "Contoso/reports@1", body: { $ref: "#/2" }, writableScopes: 4, readableScopes: 12 },
    {
      $type: "ObjectType",
      name: "configuration",
      properties: { token: { type: { $ref: "#/1" }, flags: 0 }, region: { type: { $ref: "#/0" }, flags: 0 } },
    },
    // only to be deployed
    { $type: "ResourceType", name: "Contoso/orders@1", body: { $ref: "#/2" }, writableScopes: 8, readableScopes: 0 },
  ]),
};
