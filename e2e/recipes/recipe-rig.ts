import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createCa } from "@rad/artifacts/testing";
import type { Certificate } from "@rad/artifacts/testing";
import { ClientError } from "@rad/client";
import type { ConfigOverrides } from "@rad/control-plane";
import type { JsonObject } from "@rad/core";
import {
  startCountingCloud,
  startModuleRegistry,
  startProviderMirror,
  startReleaseMirror,
} from "@rad/terraform/testing";
import type {
  CountingCloud,
  CountingCloudOptions,
  ModuleRegistry,
  ProviderMirror,
  ReleaseMirror,
} from "@rad/terraform/testing";
import { testProvider } from "@rad/terraform/testing/providers";
import { realOpenTofu, realTerraform } from "@rad/terraform/testing/real-binaries";
import { clientOf, group, registerType } from "../support/api.ts";
import type { Server } from "../support/api.ts";
import { accepted, settled } from "../terraform/installer-api.ts";
import { bucketModule, bucketProvider } from "./bucket-module.ts";

export type Product = "terraform" | "opentofu";

/** Mirrors, registries, a cloud and one authority for all of them, which servers of a test share. */
export interface RecipeRig extends AsyncDisposable {
  readonly ca: Certificate;
  readonly caFile: string;
  readonly mirror: ProviderMirror;
  readonly registry: ModuleRegistry;
  readonly releases: ReleaseMirror;
  readonly cloud: CountingCloud;
  /** The section `terraform` of a server, whose binaries and runs lie in the folder. */
  config(folder: string): Pick<ConfigOverrides, "terraform">;
  /** Installs the product and registers the type of the tests; once per database. */
  prepare(server: Server, product?: Product): Promise<void>;
}

const binaries = { terraform: realTerraform, opentofu: realOpenTofu };

export const bucketType = "Test.Stores/buckets";
export const legacyVersion = "2023-10-01-preview";
export const coreVersion = "2025-08-01-preview";
export const mirrorToken = "mirror-token-of-the-test";
export const registryToken = "registry-token-of-the-test";

export async function openRecipeRig(cloudOptions: CountingCloudOptions = {}): Promise<RecipeRig> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), "rad-recipes-"));
  stack.defer(async () => await rm(folder, { recursive: true, force: true }));
  const ca = createCa("authority of the recipes");
  const caFile = path.join(folder, "ca.pem");
  await writeFile(caFile, ca.cert);
  const mirror = stack.use(await startProviderMirror({ ca, token: mirrorToken }));
  const registry = stack.use(await startModuleRegistry({ ca, token: registryToken }));
  const releases = stack.use(await startReleaseMirror());
  const cloud = stack.use(await startCountingCloud(cloudOptions));
  mirror.publish(await testProvider({ ...bucketProvider, cloud }));
  registry.publish("acme/bucket/aws", "1.0.0", { "main.tf": bucketModule });
  const published = new Map<Product, string>();
  const publishedVersion = async (product: Product): Promise<string> => {
    const known = published.get(product) ?? (await releases.publishReal(await binaries[product]())).version;
    published.set(product, known);
    return known;
  };
  const owned = stack.move();
  return {
    ca,
    caFile,
    mirror,
    registry,
    releases,
    cloud,
    config: (place) => ({
      terraform: {
        installer: { ...releases.settings, root: path.join(place, "volume") },
        runs: { root: path.join(place, "runs"), graceSeconds: 5 },
      },
    }),
    prepare: async (server, product = "terraform") => {
      await registerBuckets(server);
      const version = await publishedVersion(product);
      await accepted(server, "install", { product, version });
      const { currentVersion, history } = await settled(server);
      if (currentVersion !== version) {
        throw new Error(`${product} was not installed: ${JSON.stringify(history)}`);
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Creates the group and the type of the tests. */
export async function registerBuckets(server: Server): Promise<void> {
  await clientOf(server).groups.put("test");
  await registerType(server, bucketType, bucketProperties);
}

const bucketProperties: JsonObject = {
  environment: { type: "string" },
  application: { type: "string" },
  bucketName: { type: "string" },
  team: { type: "string" },
  copies: { type: "integer" },
  arn: { type: "string", readOnly: true },
};

/** What an environment is made of, besides the type's recipe. */
export interface PlatformOptions {
  readonly name: string;
  /** Of the settings; the control plane's own when absent. */
  readonly backend?: JsonObject;
  readonly env?: Readonly<Record<string, string>>;
  /** Tokens for Git, as settings have them. */
  readonly authentication?: JsonObject;
  readonly logLevel?: string;
  /** `HOST/NAMESPACE/NAME/SYSTEM:VERSION`, or another source; the bucket module when absent. */
  readonly source?: string;
  readonly parameters?: JsonObject;
  /** Of mirror and registry; those that the rig asks for when absent. */
  readonly tokens?: { readonly mirror: string; readonly registry: string };
  /** How providers are installed; from the rig's mirror alone when absent. */
  readonly providerInstallation?: JsonObject;
}

/** Creates secrets, settings, a pack and an environment that uses the mirrors. @returns the id of the environment */
export async function createPlatform(rig: RecipeRig, server: Server, options: PlatformOptions): Promise<string> {
  const { name, backend, parameters } = options;
  const tokens = await putSecret(server, `${name}-tokens`, {
    mirror: mirrorToken,
    registry: registryToken,
    ...options.tokens,
  });
  const settings = await put(server, `Radius.Core/terraformSettings/${name}`, {
    terraformrc: {
      providerInstallation: options.providerInstallation ?? { networkMirror: { url: rig.mirror.url } },
      credentials: {
        [rig.mirror.host]: { token: { secretId: tokens, key: "mirror" } },
        [rig.registry.host]: { token: { secretId: tokens, key: "registry" } },
      },
    },
    env: { SSL_CERT_FILE: rig.caFile, ...options.env },
    ...(backend === undefined ? {} : { backend }),
    ...(options.authentication === undefined ? {} : { authentication: options.authentication }),
    ...(options.logLevel === undefined ? {} : { logging: { level: options.logLevel } }),
  });
  const source = options.source ?? `${rig.registry.host}/acme/bucket/aws:1.0.0`;
  const pack = await put(server, `Radius.Core/recipePacks/${name}`, {
    recipes: {
      [bucketType]: { kind: "terraform", source, ...(parameters === undefined ? {} : { parameters }) },
    },
  });
  return await put(server, `Radius.Core/environments/${name}`, {
    recipePacks: [pack],
    terraformSettings: settings,
    providers: { aws: { accountId: "123456789012", region: "eu-central-1" } },
  });
}

/** What an environment of `Applications.Core` is made of, besides the type's recipe. */
export interface LegacyPlatformOptions {
  readonly name: string;
  /** Of the module, with its version where a registry has it. */
  readonly source: string;
  readonly version?: string;
  readonly parameters?: JsonObject;
  readonly recipeConfig?: JsonObject;
  /** The id of settings, which replace `recipeConfig`. */
  readonly settings?: string;
  /** Of what recipes create in AWS. */
  readonly scope?: string;
  /** Of its objects in a cluster; its own name when absent. */
  readonly namespace?: string;
}

/** Creates or changes an environment of `Applications.Core`. @returns its id */
export async function putLegacyPlatform(server: Server, options: LegacyPlatformOptions): Promise<string> {
  const { name, source, version, parameters = {}, recipeConfig, settings, scope, namespace = name } = options;
  const recipe = {
    templateKind: "terraform",
    templatePath: source,
    ...(version === undefined ? {} : { templateVersion: version }),
    parameters,
  };
  const properties = {
    compute: { kind: "kubernetes", resourceId: "self", namespace },
    recipes: { [bucketType]: { default: recipe } },
    ...(recipeConfig === undefined ? {} : { recipeConfig }),
    ...(settings === undefined ? {} : { terraformSettings: settings }),
    ...(scope === undefined ? {} : { providers: { aws: { scope } } }),
  };
  return await put(server, `Applications.Core/environments/${name}`, properties, legacyVersion);
}

/** Ids of what a recipe created, as the resource shows them. */
export function outputResourcesOf(properties: JsonObject): string[] {
  const status = properties["status"] as { readonly outputResources?: readonly { readonly id: string }[] } | undefined;
  return (status?.outputResources ?? []).map(({ id }) => id);
}

/** @returns the error of a request or of its operation */
export async function failureOf(work: () => Promise<unknown>): Promise<ClientError> {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof ClientError, String(error));
    return error;
  }
  return assert.fail("it did not fail");
}

/** @returns the id of a secret with these values */
export async function putSecret(
  server: Server,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }]));
  const id = `/planes/radius/local/providers/Radius.Security/secrets/${name}`;
  await clientOf(server).resources.put(id, { properties: { data } }, { apiVersion: coreVersion });
  return id;
}

/** @param place `NAMESPACE/TYPE/NAME`. @returns the id. @throws ClientError with the error of the operation */
export async function put(
  server: Server,
  place: string,
  properties: JsonObject,
  version = coreVersion,
): Promise<string> {
  const id = `${group}/providers/${place}`;
  await clientOf(server).resources.put(id, { location: "global", properties }, { apiVersion: version });
  return id;
}

const typeVersion = "2025-01-01";

export function bucketId(name: string): string {
  return `${group}/providers/${bucketType}/${name}`;
}

/** Runs the recipe. @returns the properties afterwards. @throws ClientError with the error of the operation */
export async function deployBucket(server: Server, name: string, properties: JsonObject): Promise<JsonObject> {
  await put(server, `${bucketType}/${name}`, properties, typeVersion);
  return await readBucket(server, name);
}

async function readBucket(server: Server, name: string): Promise<JsonObject> {
  const { properties } = await clientOf(server).resources.get(bucketId(name), { apiVersion: typeVersion });
  return properties as JsonObject;
}

export async function deleteBucket(server: Server, name: string): Promise<void> {
  await clientOf(server).resources.delete(bucketId(name), { apiVersion: typeVersion });
}
