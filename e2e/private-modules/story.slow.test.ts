// The operator's story, as it is typed: private modules of two hosts, registered and deployed with `rad`.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { createRadHome } from "../kubernetes/rad-home.ts";
import { clientOf, group } from "../support/api.ts";
import { legacyVersion, openPrivateRig } from "./private-rig.ts";

const platform = `
extension radius

@secure()
param githubToken string
@secure()
param azureToken string
param proxy string
param authorities string

resource secretStoreGithub 'Applications.Core/secretStores@2023-10-01-preview' = {
  name: 'github'
  properties: {
    type: 'generic'
    data: {
      pat: {
        value: githubToken
      }
      username: {
        value: 'ann'
      }
    }
  }
}

resource secretStoreAzureDevOps 'Applications.Core/secretStores@2023-10-01-preview' = {
  name: 'azure'
  properties: {
    type: 'generic'
    data: {
      pat: {
        value: azureToken
      }
    }
  }
}

resource env 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'dsrp-resources-env-recipes-context-env'
  location: 'global'
  properties: {
    compute: {
      kind: 'kubernetes'
      resourceId: 'self'
      namespace: 'recipes'
    }
    recipeConfig: {
      terraform: {
        authentication: {
          git: {
            pat: {
              'github.com': {
                secret: secretStoreGithub.id
              }
              'dev.azure.com': {
                secret: secretStoreAzureDevOps.id
              }
            }
          }
        }
      }
      env: {
        HTTPS_PROXY: proxy
        SSL_CERT_FILE: authorities
      }
    }
    recipes: {
      'Applications.Datastores/mongoDatabases': {
        default: {
          templateKind: 'terraform'
          templatePath: 'https://dev.azure.com/test-private-repo'
        }
      }
    }
  }
}
`;

const app = `
extension radius

param environment string

resource documents 'Applications.Datastores/mongoDatabases@2023-10-01-preview' = {
  name: 'documents'
  properties: {
    environment: environment
  }
}

resource sessions 'Applications.Datastores/redisCaches@2023-10-01-preview' = {
  name: 'sessions'
  properties: {
    environment: environment
    recipe: {
      name: 'private'
    }
  }
}

output mongo string = documents.properties.host
output redis string = sessions.properties.host
`;

function databaseModule(host: string, resource: string): string {
  return `
variable "context" { type = any }
variable "size" {
  type    = string
  default = "small"
}
output "result" {
  value = {
    values    = { host = "${host}", port = 6379${host.startsWith("mongo") ? ', database = "d"' : ""} }
    secrets   = { connectionString = "scheme://${host}" }
    resources = ["/planes/kubernetes/local/namespaces/recipes/providers/core/Service/${resource}"]
  }
  sensitive = true
}
`;
}

it("an operator deploys stores and an environment, registers a module of a private repository, and runs it", async () => {
  await using rig = await openPrivateRig({ hosts: ["github.com", "dev.azure.com"] });
  const { git, server, folder } = rig;
  await git.repository("/acme/redis.git", { "main.tf": databaseModule("redis.example", "redis") }, { tag: "v1.2.0" });
  await git.repository("/test-private-repo", { "main.tf": databaseModule("mongo.example", "mongo") });
  git.allow({ user: "ann", token: "canary-github", host: "github.com" });
  git.allow({ user: "pat", token: "canary-azure", host: "dev.azure.com" });
  const tokenFile = path.join(folder, "rad-token");
  await writeFile(tokenFile, server.token, { mode: 0o600 });
  await using home = await createRadHome({ server: { url: server.url, tokenFile }, group: "test" });
  await home.write("platform.bicep", platform);
  await home.write("app.bicep", app);
  const environment = "dsrp-resources-env-recipes-context-env";
  const configOf = async (): Promise<unknown> => {
    const id = `${group}/providers/Applications.Core/environments/${environment}`;
    const { properties } = await clientOf(server).resources.get(id, { apiVersion: legacyVersion });
    return (properties as JsonObject)["recipeConfig"];
  };
  const type = "Applications.Datastores/redisCaches";
  const printed: string[] = [];
  const rad = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await home.rad(...args);
    printed.push(stdout, stderr);
    return `${stdout}\n${stderr}`;
  };

  const parameters = [
    "githubToken=canary-github",
    "azureToken=canary-azure",
    `proxy=${git.proxyUrl}`,
    `authorities=${git.caFile}`,
  ];
  await rad("deploy", "platform.bicep", ...parameters.flatMap((parameter) => ["--parameters", parameter]));
  await rad("env", "switch", environment);
  const sent = await configOf();
  await rad(
    "recipe",
    "register",
    "private",
    "--resource-type",
    type,
    "--template-kind",
    "terraform",
    "--template-path",
    "git::https://github.com/acme/redis.git?ref=v1.2.0",
  );
  const shown = await rad("recipe", "show", "private", "--resource-type", type);
  const deployed = await rad("deploy", "app.bicep");
  const listed = JSON.parse((await home.rad("resource", "list", "redisCaches", "-o", "json")).stdout) as {
    readonly properties: { readonly status: { readonly outputResources: readonly { readonly id: string }[] } };
  }[];

  assert.match(shown, /git::https:\/\/github\.com\/acme\/redis\.git\?ref=v1\.2\.0/u);
  assert.match(shown, /size/u);
  assert.match(deployed, /mongo\.example/u);
  assert.match(deployed, /redis\.example/u);
  assert.deepEqual(
    listed[0]?.properties.status.outputResources.map(({ id }) => id),
    ["/planes/kubernetes/local/namespaces/recipes/providers/core/Service/redis"],
  );

  // What reads, changes and writes the environment keeps the tokens of hosts, and those of addresses.
  const inPath = "git::https://ann:canary-github@github.com/acme/redis.git";
  const warned = await rad(
    "recipe",
    "register",
    "in-path",
    "--resource-type",
    type,
    "--template-kind",
    "terraform",
    "--template-path",
    inPath,
  );
  await rad(
    "recipe",
    "register",
    "another",
    "--resource-type",
    type,
    "--template-kind",
    "terraform",
    "--template-path",
    "acme/redis/aws",
    "--template-version",
    "1.0.0",
  );
  await rad("recipe", "unregister", "another", "--resource-type", type);
  await rad("env", "update", environment, "--aws-account-id", "123456789012", "--aws-region", "eu-central-1");
  const list = await rad("recipe", "list");
  const inPathShown = await rad("recipe", "show", "in-path", "--resource-type", type);
  assert.match(warned, /carries credentials.*recipeConfig\.terraform\.authentication\.git\.pat/u);
  assert.match(list, /git::https:\/\/\*\*\*@github\.com\/acme\/redis\.git/u);
  assert.match(inPathShown, /size/u);
  assert.deepEqual(await configOf(), sent);
  assert.doesNotMatch(JSON.stringify(sent), /canary/u);

  await rad("resource", "delete", type, "sessions", "--yes");
  await rad("resource", "delete", "Applications.Datastores/mongoDatabases", "documents", "--yes");
  assert.doesNotMatch(printed.join("\n"), /canary/u);
});
