// The story of the design: a recipe for MongoDB on Azure, and ids of what it made in `rad resource list -o json`.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { it } from "node:test";
import { testProvider } from "@rad/terraform/testing/providers";
import { createRadHome } from "../kubernetes/rad-home.ts";
import { databases } from "../support/database.ts";
import { createPlatform, openRecipeRig, put } from "./recipe-rig.ts";

const legacyVersion = "2023-10-01-preview";
const subscription = "11111111-2222-3333-4444-555555555555";
const scope = `/subscriptions/${subscription}/resourceGroups/{resource_group_name}/providers`;

const cosmosModule = `
terraform {
  required_providers {
    azurerm = { source = "hashicorp/azurerm", version = "~> 4.0" }
  }
}
variable "context" { type = any }
variable "resource_group_name" { type = string }
resource "azurerm_cosmosdb_account" "this" {
  name                = "\${var.context.resource.name}-account"
  resource_group_name = var.resource_group_name
  location            = "westeurope"
}
resource "azurerm_cosmosdb_mongo_database" "this" {
  name                = var.context.resource.name
  resource_group_name = var.resource_group_name
  account_name        = azurerm_cosmosdb_account.this.name
}
output "result" {
  value = {
    values  = { host = "\${azurerm_cosmosdb_account.this.name}.mongo.cosmos.azure.com", port = 10255, database = var.context.resource.name }
    secrets = { connectionString = "mongodb://canary-of-the-result" }
  }
  sensitive = true
}
`;

it("a mongoDatabases resource from a recipe lists what Terraform made on Azure", async () => {
  await using rig = await openRecipeRig();
  rig.mirror.publish(
    await testProvider({
      address: "hashicorp/azurerm",
      version: "4.20.0",
      cloud: rig.cloud,
      provider: {
        attributes: {
          subscription_id: {},
          tenant_id: {},
          client_id: {},
          client_secret: { sensitive: true },
          use_oidc: { type: "bool" },
          oidc_token_file_path: {},
          use_cli: { type: "bool" },
        },
        blocks: { features: {} },
      },
      resources: {
        azurerm_cosmosdb_account: {
          attributes: {
            name: { required: true, replace: true },
            resource_group_name: { required: true },
            location: { required: true },
            id: { computed: `${scope}/Microsoft.DocumentDB/databaseAccounts/{name}` },
          },
        },
        azurerm_cosmosdb_mongo_database: {
          attributes: {
            name: { required: true, replace: true },
            resource_group_name: { required: true },
            account_name: { required: true },
            id: { computed: `${scope}/Microsoft.DocumentDB/databaseAccounts/{account_name}/mongodbDatabases/{name}` },
          },
        },
      },
    }),
  );
  rig.registry.publish("acme/cosmos/azurerm", "2.0.0", { "main.tf": cosmosModule });
  await using database = await databases.sqlite();
  await using server = await database.startServer(rig.config(database.folder));
  await rig.prepare(server);
  await createPlatform(rig, server, { name: "azure" });
  const environment = await put(
    server,
    "Applications.Core/environments/legacy",
    {
      compute: { kind: "kubernetes", resourceId: "self", namespace: "legacy" },
      providers: { azure: { scope: `/subscriptions/${subscription}/resourceGroups/shop` } },
      terraformSettings: "/planes/radius/local/resourceGroups/test/providers/Radius.Core/terraformSettings/azure",
      recipes: {
        "Applications.Datastores/mongoDatabases": {
          default: {
            templateKind: "terraform",
            templatePath: `${rig.registry.host}/acme/cosmos/azurerm`,
            templateVersion: "2.0.0",
            parameters: { resource_group_name: "shop" },
          },
        },
      },
    },
    legacyVersion,
  );

  await put(server, "Applications.Datastores/mongoDatabases/orders", { environment }, legacyVersion);

  const tokenFile = path.join(database.folder, "rad-token");
  await writeFile(tokenFile, server.token, { mode: 0o600 });
  await using home = await createRadHome({ server: { url: server.url, tokenFile }, group: "test" });
  const { stdout } = await home.rad("resource", "list", "mongoDatabases", "-o", "json");
  const [listed] = JSON.parse(stdout) as {
    properties: { host: string; status: { outputResources: { id: string }[] } };
  }[];
  assert.equal(listed?.properties.host, "orders-account.mongo.cosmos.azure.com");
  const account = `/subscriptions/${subscription}/resourceGroups/shop/providers/Microsoft.DocumentDB/databaseAccounts/orders-account`;
  assert.deepEqual(listed.properties.status.outputResources.map(({ id }) => id).toSorted(), [
    account,
    `${account}/mongodbDatabases/orders`,
  ]);
  assert.doesNotMatch(stdout, /canary/u);
  const type = "Applications.Datastores/mongoDatabases";
  const shown = await home.rad("resource", "show", type, "orders", "-o", "json");
  assert.deepEqual((JSON.parse(shown.stdout) as typeof listed).properties.status, listed.properties.status);
  await home.rad("resource", "delete", type, "orders", "--yes");
  assert.deepEqual(rig.cloud.objects(), []);
});
