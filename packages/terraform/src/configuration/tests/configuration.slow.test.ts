import assert from "node:assert/strict";
import path from "node:path";
import { after, before, it } from "node:test";
import type { JsonObject, JsonValue } from "@rad/core";
import type { PostgresServer } from "@rad/store/testing";
import { startPostgres } from "@rad/store/testing";
import type { RealBinary } from "../../testing/real-binaries.ts";
import { realOpenTofu, realTerraform } from "../../testing/real-binaries.ts";
import type { Backend, BackendOptions } from "../backend.ts";
import { backendOf } from "../backend.ts";
import { terraformrcOf } from "../terraformrc.ts";
import type { MainConfigurationOptions } from "../main-configuration.ts";
import { mainConfiguration } from "../main-configuration.ts";
import { runEnvironment } from "../run-environment.ts";
import { secretLookup } from "../secret-lookup.ts";
import { startStateServer } from "./state-server.ts";
import type { WorkingFolder } from "./terraform-kit.ts";
import {
  aliasContents,
  aliasModule,
  aliasProviders,
  echoContents,
  echoModule,
  owner,
  printed,
  workingFolder,
} from "./terraform-kit.ts";

const programs = { terraform: realTerraform, opentofu: realOpenTofu } as const;
const binaries = new Map<string, RealBinary>();
let postgres: PostgresServer;
before(async () => {
  for (const [product, load] of Object.entries(programs)) {
    binaries.set(product, await load());
  }
  postgres = await startPostgres();
});
after(() => postgres[Symbol.asyncDispose]());

const secretId = "/planes/radius/local/providers/Radius.Security/secrets/s";

const hostile = [
  "${1 + 1}",
  "$${1 + 1}",
  "$$${1}",
  "%{ if true }a%{ endif }",
  "%%{x}",
  '${file("/etc/passwd")}',
  "$",
  "${",
  'a "quoted" \\ back\\\\slash',
  "line\nbreak\r\ttab",
  "<<EOT\n${x}\nEOT",
  "{{ context.resource.name }}",
  "</script>&<>\u2028\u0007\u001b",
  "größe 数 🦀",
  "",
];

/** A run as the driver makes it: files, then `init` and `apply`, with an environment of the configuration alone. */
async function applied(
  folder: WorkingFolder,
  product: keyof typeof programs,
  { backend, ...options }: Partial<MainConfigurationOptions> & { readonly backend: Backend },
): Promise<JsonObject> {
  const { file, env } = mainConfiguration({
    product,
    module: { key: "default", source: "./module" },
    contents: echoContents,
    parameters: {},
    context: {},
    secrets: secretLookup([]),
    providers: { session: "run-1" },
    backend,
    ...options,
  });
  await folder.write({ "main.tf.json": printed(file), ".terraformrc": terraformrcOf({}) });
  const variables = runEnvironment({
    folder: folder.path,
    terraformrc: path.join(folder.path, ".terraformrc"),
    path: "/usr/bin",
    secrets: secretLookup([]),
    logLevel: "OFF",
    configuration: [backend.env, env],
  });
  for (const args of [["init"], ["apply", "-auto-approve"]]) {
    const { code, stdout, stderr } = await folder.run([...args, "-no-color", "-input=false"], variables);
    assert.equal(code, 0, stdout + stderr);
  }
  const { stdout } = await folder.run(["show", "-json"], variables);
  return JSON.parse(stdout) as JsonObject;
}

function resultOf(state: JsonObject): JsonValue {
  const { values } = state as { values?: { outputs?: { result?: { value: JsonValue } } } };
  return values?.outputs?.result?.value ?? null;
}

const stateServer = (url: string): BackendOptions["place"] => ({
  kind: "controlPlane",
  address: `${url}/terraform/state`,
  username: "run-1",
  password: "canary-state-token",
});

for (const product of ["terraform", "opentofu"] as const) {
  it(`hostile strings come back unchanged from ${product}, and secrets are in no file`, async () => {
    await using server = await startStateServer("run-1", "canary-state-token");
    await using folder = await workingFolder(binaries.get(product)?.file ?? "");
    await folder.write(echoModule);
    const passwords = hostile.map((text) => `canary-${text}`);
    const secrets = secretLookup([[secretId, Object.fromEntries(passwords.map((text, index) => [`k${index}`, text]))]]);
    const value = {
      strings: hostile,
      keys: Object.fromEntries(hostile.map((text, index) => [`${index}${text}`, index])),
      secrets: passwords.map((_, index) => ({ nested: { secretId, key: `k${index}` } })),
    };
    const context = { resource: { name: "db", properties: { token: "canary-context", keys: { list: passwords } } } };
    const backend = backendOf({ owner, place: stateServer(server.url), secrets });

    const state = await applied(folder, product, {
      backend,
      parameters: { value, password: { secretId, key: "k3" } },
      context,
      sensitive: ["/context/resource/properties/token", "/context/resource/properties/keys"],
      secrets,
    });

    assert.deepEqual(resultOf(state), {
      value: { ...value, secrets: passwords.map((nested) => ({ nested })) },
      context,
      password: passwords[3],
    });
    assert.deepEqual([...server.states.keys()], [`/terraform/state/${backend.stateName}`]);
    assert.deepEqual(await folder.filesWith(["canary"]), []);
  });

  it(`${product} gives a module the provider configurations that it declares`, async () => {
    await using server = await startStateServer("run-1", "canary-state-token");
    await using folder = await workingFolder(binaries.get(product)?.file ?? "");
    await folder.write(aliasModule);

    await applied(folder, product, {
      backend: backendOf({ owner, place: stateServer(server.url), secrets: secretLookup([]) }),
      contents: aliasContents,
      providers: { session: "run-1", configured: aliasProviders },
    });

    assert.equal(server.states.size, 1);
  });
}

it("pg keeps the states of two resources apart, with the connection string in no file", async () => {
  const url = await postgres.createDatabase();
  const secrets = secretLookup([[secretId, { url: `${url}?sslmode=disable` }]]);
  const settings = { type: "pg", config: { connStr: { secretId, key: "url" }, skipTableCreation: false } };
  const values: JsonValue[] = [];

  for (const name of ["one", "two", "one"]) {
    await using folder = await workingFolder(binaries.get("terraform")?.file ?? "");
    await folder.write(echoModule);
    const resource = { ...owner, resourceId: `${owner.resourceId}-${name}` };
    const place = stateServer("http://127.0.0.1:1");
    const backend = backendOf({ owner: resource, place, secrets, settings });
    const state = await applied(folder, "terraform", { backend, parameters: { value: name } });
    values.push((resultOf(state) as { value: JsonValue }).value);
    assert.deepEqual(await folder.filesWith([url, new URL(url).password]), []);
  }

  assert.deepEqual(values, ["one", "two", "one"]);
});

it("http of the user's own keeps states apart, with its password in no file", async () => {
  await using server = await startStateServer("corp", "canary-password");
  const secrets = secretLookup([[secretId, { password: "canary-password" }]]);
  const config = {
    address: `${server.url}/prod`,
    lockAddress: `${server.url}/prod/lock`,
    unlockAddress: `${server.url}/prod/lock`,
    username: "corp",
    password: { secretId, key: "password" },
  };

  await using folder = await workingFolder(binaries.get("terraform")?.file ?? "");
  await folder.write(echoModule);
  const place = stateServer("http://127.0.0.1:1");
  const backend = backendOf({ owner, place, secrets, settings: { type: "http", config } });
  await applied(folder, "terraform", { backend, parameters: { value: 1 } });

  assert.deepEqual([...server.states.keys()], ["/prod-cacf81f79852e7137301e6589490baf2c4f9ef10"]);
  assert.deepEqual(await folder.filesWith(["canary"]), []);
});
