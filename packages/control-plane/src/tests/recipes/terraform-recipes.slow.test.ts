// Terraform recipes through a whole server without a cluster: real Terraform, modules from a registry, states in the store.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { type JsonObject, objectMember } from "@rad/core";
import { until } from "@rad/core/testing";
import {
  type ModuleRegistry,
  type ReleaseMirror,
  startModuleRegistry,
  startReleaseMirror,
} from "@rad/terraform/testing";
import { realTerraform } from "@rad/terraform/testing/real-binaries";
import { local, type Reply, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";

const group = `${local}/resourcegroups/recipes`;
const idOf = (type: string, name: string): string => `${group}/providers/${type}/${name}`;
const environment = idOf("Applications.Core/environments", "dev");
const extenders = "Applications.Core/extenders";
const redisCaches = "Applications.Datastores/redisCaches";

let folder: string;
let server: TestServer;
let registry: ModuleRegistry;
let releases: ReleaseMirror;
let version: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "radius-recipes-"));
  registry = await startModuleRegistry();
  releases = await startReleaseMirror();
  ({ version } = await releases.publishReal(await realTerraform()));
  registry.publish("acme/thing/none", "1.0.0", { "main.tf": thing("one") });
  registry.publish("acme/thing/none", "2.0.0", { "main.tf": thing("two") });
  registry.publish("acme/cache/none", "1.0.0", { "main.tf": cache });
  registry.publish("acme/broken/none", "1.0.0", { "main.tf": broken });
  server = await startTestServer({
    directory: folder,
    overrides: {
      terraform: {
        installer: { drainSeconds: 0, ...releases.settings, root: join(folder, "volume") },
        runs: { root: join(folder, "runs") },
      },
    },
  });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  await putEnvironment();
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
  await releases[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Two outputs, and a secret parameter that comes back as a secret. */
const thing = (label: string): string => `
variable "context" { type = any }
variable "size" {
  type        = string
  description = "How large it is."
  default     = "S"
}
variable "password" {
  type      = string
  sensitive = true
}
variable "salt" {
  type      = string
  default   = "canary-of-the-module"
  sensitive = true
}
resource "terraform_data" "this" { input = "${label}-\${var.size}" }
output "result" {
  sensitive = true
  value = {
    values    = { size = terraform_data.this.output, namespace = var.context.runtime.kubernetes.namespace }
    secrets   = { password = var.password }
    resources = ["/planes/kubernetes/local/namespaces/n/providers/core/ConfigMap/of-the-recipe"]
  }
}
`;

/** A module that knows nothing of recipes. */
const cache = `
variable "name" { type = string }
resource "terraform_data" "this" { input = var.name }
output "host" { value = terraform_data.this.output }
output "port" { value = 6379 }
output "password" {
  value     = "made-here"
  sensitive = true
}
`;

const broken = `
resource "terraform_data" "first" { input = "made" }
resource "terraform_data" "second" {
  input = terraform_data.first.output
  lifecycle {
    postcondition {
      condition     = self.id == ""
      error_message = "it is never right"
    }
  }
}
`;

const withVersion = (path: string): string =>
  `${path}?api-version=${path.includes("/Radius.") ? "2025-08-01-preview" : "2023-10-01-preview"}`;

function put(id: string, properties: JsonObject): Promise<Reply> {
  return server.call("PUT", withVersion(id), { body: { location: "global", properties } });
}

async function putEnvironment(thingVersion = "1.0.0"): Promise<void> {
  const recipe = (name: string, templateVersion: string, parameters: JsonObject = {}): JsonObject => ({
    templateKind: "terraform",
    templatePath: `${registry.host}/acme/${name}/none`,
    templateVersion,
    parameters,
  });
  const reply = await put(environment, {
    compute: { kind: "kubernetes", namespace: "dev" },
    recipes: {
      [extenders]: {
        default: recipe("thing", thingVersion, { size: "M" }),
        broken: recipe("broken", "1.0.0"),
        nowhere: recipe("nowhere", "1.0.0"),
      },
      [redisCaches]: { default: recipe("cache", "1.0.0", { name: "{{context.resource.name}}.example" }) },
    },
    recipeConfig: { env: { SSL_CERT_FILE: registry.caFile } },
  });
  assert.equal(reply.status, 200, reply.text);
}

async function settled(reply: Reply): Promise<JsonObject> {
  const { status, error } = await server.settle(reply);
  return status === "Succeeded" ? {} : objectMember({ error: error ?? null }, "error");
}
const deploy = async (type: string, name: string, properties: JsonObject): Promise<JsonObject> =>
  await settled(await put(idOf(type, name), { environment, ...properties }));
const remove = async (type: string, name: string): Promise<JsonObject> =>
  await settled(await server.call("DELETE", withVersion(idOf(type, name))));
const read = async (type: string, name: string): Promise<JsonObject> =>
  objectMember((await server.call("GET", withVersion(idOf(type, name)))).body, "properties");
const orphans = async (): Promise<unknown> => (await server.call("GET", "/recipes/orphans")).body["value"];

async function install(): Promise<void> {
  await server.call("POST", "/installer/terraform/install", { body: { version } });
  await installerIs("ready");
}

async function installerIs(state: string): Promise<void> {
  const status = async (): Promise<boolean> =>
    (await server.call("GET", "/installer/terraform/status")).body["state"] === state;
  await until(`the installer is ${state}`, status, { timeoutMs: 240_000 });
}

const notInstalled = "Terraform is not installed. Run 'rad terraform install' to install Terraform.";

it("without Terraform a recipe fails before anything else, with the text that says what to do (S000-141)", async () => {
  const error = await deploy(extenders, "early", { recipe: { name: "default", parameters: { password: "p" } } });

  assert.equal(error["message"], notInstalled);
  assert.equal(registry.requests.length, 0);
  const metadata = await server.call("POST", withVersion(`${environment}/getMetadata`), {
    body: { resourceType: extenders, name: "default" },
  });
  assert.match(metadata.text, /Terraform is not installed/);
  assert.deepEqual(await remove(extenders, "early"), {});
  await install();
});

it("a recipe gives values, secrets and ids; an update changes them; a delete destroys everything", async () => {
  const parameters = { password: "canary-of-the-recipe" };

  assert.deepEqual(await deploy(extenders, "one", { recipe: { name: "default", parameters } }), {});
  const first = await read(extenders, "one");
  assert.equal(first["size"], "one-M");
  assert.equal(first["namespace"], "dev");
  const source = {
    templateKind: "terraform",
    templatePath: `${registry.host}/acme/thing/none`,
    templateVersion: "1.0.0",
  };
  assert.deepEqual(objectMember(first, "status")["recipe"], source);
  assert.deepEqual(objectMember(first, "status")["outputResources"], [
    { id: "/planes/kubernetes/local/namespaces/n/providers/core/ConfigMap/of-the-recipe", radiusManaged: true },
  ]);
  const listed = await server.call("POST", withVersion(`${idOf(extenders, "one")}/listSecrets`), { body: {} });
  assert.deepEqual(listed.body, { password: "canary-of-the-recipe" });

  await putEnvironment("2.0.0");
  assert.deepEqual(
    await deploy(extenders, "one", { recipe: { name: "default", parameters: { ...parameters, size: "L" } } }),
    {},
  );
  assert.equal((await read(extenders, "one"))["size"], "two-L");

  const log = await server.call("GET", `/recipes/logs${idOf(extenders, "one")}`);
  assert.match(String(log.body["text"]), /Apply complete/);
  assert.ok(!log.text.includes("canary"));
  assert.deepEqual(await remove(extenders, "one"), {});
  assert.deepEqual(await orphans(), []);
});

it("a module without context or result gives its outputs, and its parameters may name the context", async () => {
  assert.deepEqual(await deploy(redisCaches, "cache", {}), {});

  const { host, port } = await read(redisCaches, "cache");
  assert.deepEqual({ host, port }, { host: "cache.example", port: 6379 });
  const secrets = await server.call("POST", withVersion(`${idOf(redisCaches, "cache")}/listSecrets`), { body: {} });
  assert.equal(secrets.body["password"], "made-here");
  assert.equal(secrets.body["connectionString"], "cache.example:6379,abortConnect=False,password=made-here");
  assert.deepEqual(await remove(redisCaches, "cache"), {});
});

it("an apply that fails half-way names recipe, module and next command, and a delete removes what was made", async () => {
  const error = await deploy(extenders, "half", { recipe: { name: "broken" } });

  assert.equal(error["code"], "RecipeDeploymentFailed");
  assert.match(String(error["message"]), /^terraform apply failure: .*it is never right/s);
  assert.match(String(error["message"]), /recipe "broken", module \S+\/acme\/broken\/none 1\.0\.0/);
  assert.match(String(error["message"]), /rad resource logs Applications\.Core\/extenders half/);
  assert.deepEqual(await remove(extenders, "half"), {});
  assert.deepEqual(await orphans(), []);
});

it("a module that does not exist fails the set-up, and leaves nothing to delete", async () => {
  const error = await deploy(extenders, "none", { recipe: { name: "nowhere" } });

  assert.equal(error["code"], "RecipeDownloadFailed");
  assert.match(
    String(error["message"]),
    /^failed to download Terraform module from source "\S+nowhere\/none", version "1\.0\.0"/,
  );
  assert.deepEqual(await remove(extenders, "none"), {});
});

it("metadata shows the parameters of the module with what the environment sets, and an unknown recipe is 404", async () => {
  const ask = (name: string): Promise<Reply> =>
    server.call("POST", withVersion(`${environment}/getMetadata`), { body: { resourceType: extenders, name } });

  const { body, text } = await ask("default");
  const { size, password, context } = objectMember(body, "parameters");
  assert.equal(objectMember({ size: size ?? {} }, "size")["value"], "M", text);
  assert.equal(objectMember({ size: size ?? {} }, "size")["defaultValue"], "S");
  assert.equal(objectMember({ password: password ?? {} }, "password")["required"], true);
  assert.equal(context, undefined);
  assert.doesNotMatch(text, /canary/, "a default of a sensitive variable");
  assert.equal((await ask("other")).status, 404);
});

it("a delete without Terraform leaves the resource in place, and succeeds after the install (S000-143)", async () => {
  assert.deepEqual(await deploy(redisCaches, "kept", {}), {});
  await server.call("POST", "/installer/terraform/uninstall", { body: {} });
  await installerIs("not-installed");

  assert.equal((await remove(redisCaches, "kept"))["message"], notInstalled);
  assert.equal((await read(redisCaches, "kept"))["provisioningState"], "Failed");
  await install();
  assert.deepEqual(await remove(redisCaches, "kept"), {});
  assert.equal((await server.call("GET", withVersion(idOf(redisCaches, "kept")))).status, 404);
});
