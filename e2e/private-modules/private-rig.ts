import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createCa } from "@rad/artifacts/testing";
import type { JsonObject } from "@rad/core";
import { startGitServer, startReleaseMirror } from "@rad/terraform/testing";
import type { GitRequest, GitServer } from "@rad/terraform/testing";
import { realTerraform } from "@rad/terraform/testing/real-binaries";
import type { RealBinary } from "@rad/terraform/testing/real-binaries";
import type { ConfigOverrides } from "@rad/control-plane";
import { accepted, settled } from "../terraform/installer-api.ts";
import { clientOf, group } from "../support/api.ts";
import type { Server } from "../support/api.ts";
import { databases } from "../support/database.ts";
import type { ServerProcess } from "../support/server-process.ts";

export const legacyVersion = "2023-10-01-preview";
export const coreVersion = "2025-08-01-preview";
const extenderType = "Applications.Core/extenders";

/** A Git server, and a control plane whose account has git configured to give everything away. */
export interface PrivateRig extends AsyncDisposable {
  readonly git: GitServer;
  readonly server: ServerProcess;
  /** Where the database, the runs and their caches are. */
  readonly folder: string;
  /** Where what is used of the account's own git configuration leaves a trace. */
  readonly traps: string;
}

export interface PrivateRigOptions {
  readonly hosts: readonly string[];
  readonly config?: ConfigOverrides;
  /** What recipes run with; left out: Terraform. */
  readonly binary?: RealBinary;
}

export async function openPrivateRig({ hosts, config = {}, binary }: PrivateRigOptions): Promise<PrivateRig> {
  await using stack = new AsyncDisposableStack();
  const git = stack.use(await startGitServer({ hosts, ca: createCa("authority of the modules") }));
  const releases = stack.use(await startReleaseMirror());
  const { product, version } = await releases.publishReal(binary ?? (await realTerraform()));
  const traps = await mkdtemp(path.join(tmpdir(), "rad-traps-"));
  stack.defer(async () => await rm(traps, { recursive: true, force: true }));
  const database = stack.use(await databases.sqlite());
  const server = stack.use(
    await database.startServer(
      {
        ...config,
        terraform: {
          installer: { ...releases.settings, root: path.join(database.folder, "volume") },
          runs: { root: path.join(database.folder, "runs"), graceSeconds: 5 },
        },
      },
      await trappedAccount(traps),
    ),
  );
  await clientOf(server).groups.put("test");
  await accepted(server, "install", { product, version });
  const { currentVersion, history } = await settled(server);
  if (currentVersion !== version) {
    throw new Error(`${product} was not installed: ${JSON.stringify(history)}`);
  }
  const owned = stack.move();
  return { git, server, folder: database.folder, traps, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** An account whose git sends every request elsewhere, and whose helpers and files know credentials for every host. */
async function trappedAccount(folder: string): Promise<Record<string, string>> {
  const home = path.join(folder, "home");
  await mkdir(path.join(home, ".ssh"), { recursive: true });
  const helper = path.join(folder, "helper");
  await writeFile(helper, `#!/bin/sh\necho "$@" >> ${folder}/sprung\necho username=trap\necho password=trap-token\n`);
  await chmod(helper, 0o755);
  const configuration = `[credential]\n\thelper = ${helper}\n[core]\n\taskpass = ${helper}\n[url "https://trap.example/"]\n\tinsteadOf = https://\n`;
  await writeFile(path.join(home, ".gitconfig"), configuration);
  await writeFile(path.join(folder, "system"), configuration);
  await writeFile(path.join(home, ".netrc"), "default login trap password trap-token\n", { mode: 0o600 });
  return {
    HOME: home,
    GIT_CONFIG_SYSTEM: path.join(folder, "system"),
    GIT_CONFIG_GLOBAL: path.join(home, ".gitconfig"),
    GIT_ASKPASS: helper,
    SSH_ASKPASS: helper,
    NETRC: path.join(home, ".netrc"),
  };
}

/** A module that needs no provider and says which one it is. */
export function moduleOf(message: string, more = ""): Record<string, string> {
  return {
    "main.tf": `
variable "context" { type = any }
resource "terraform_data" "this" { input = "${message}" }
output "result" {
  value = {
    values    = { message = terraform_data.this.output }
    resources = ["/planes/kubernetes/local/namespaces/default/providers/core/Service/\${var.context.resource.name}"]
  }
}
${more}`,
  };
}

/** @returns the id of a store of neither application nor environment */
export async function putStore(
  server: Server,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }]));
  return await put(server, `Applications.Core/secretStores/${name}`, { type: "generic", data });
}

export interface EnvironmentOptions {
  /** Ids of secrets by host. */
  readonly pat?: Readonly<Record<string, string>>;
  /** Of the recipe `default`, or of each recipe by its name. */
  readonly templatePath: string | Readonly<Record<string, string>>;
  /** Further members of the environment. */
  readonly more?: JsonObject;
  readonly env?: Readonly<Record<string, string>>;
}

/** An environment whose extenders come from the module. @returns its id */
export async function putEnvironment(
  { git, server }: Pick<PrivateRig, "git" | "server">,
  name: string,
  { pat = {}, templatePath, env = {}, more = {} }: EnvironmentOptions,
): Promise<string> {
  const paths = typeof templatePath === "string" ? { default: templatePath } : templatePath;
  const recipes = Object.entries(paths).map(([recipe, source]) => [
    recipe,
    { templateKind: "terraform", templatePath: source },
  ]);
  const entries = Object.entries(pat).map(([host, secret]) => [host, { secret }]);
  return await put(server, `Applications.Core/environments/${name}`, {
    compute: { kind: "kubernetes", namespace: name },
    recipes: { [extenderType]: Object.fromEntries(recipes) },
    recipeConfig: {
      terraform: { authentication: { git: { pat: Object.fromEntries(entries) } } },
      env: { ...git.env, ...env },
    },
    ...more,
  });
}

/** @param place `NAMESPACE/TYPE/NAME`. @throws ClientError with the error of the operation */
export async function put(
  server: Server,
  place: string,
  properties: JsonObject,
  apiVersion = legacyVersion,
): Promise<string> {
  const id = `${group}/providers/${place}`;
  await clientOf(server).resources.put(id, { location: "global", properties }, { apiVersion });
  return id;
}

/** Runs the recipe. @returns what the module says, as JSON. @throws ClientError with the error of the operation */
export async function deploy(server: Server, name: string, environment: string, recipe = "default"): Promise<string> {
  const id = await put(server, `${extenderType}/${name}`, { environment, recipe: { name: recipe } });
  const { properties } = await clientOf(server).resources.get(id, { apiVersion: legacyVersion });
  return JSON.stringify((properties as JsonObject)["message"]);
}

export async function remove(server: Server, name: string): Promise<void> {
  await clientOf(server).resources.delete(`${group}/providers/${extenderType}/${name}`, { apiVersion: legacyVersion });
}

/** What an operation failed with. */
export async function failureOf(work: Promise<unknown>): Promise<{ readonly code: string; readonly message: string }> {
  try {
    await work;
  } catch (error) {
    const { code, message } = error as { readonly code: string; readonly message: string };
    return { code, message };
  }
  throw new Error("It was expected to fail.");
}

/**
 * The requests that carried credentials, each as `scheme://host user:password`, each once. A name alone, which an address
 * may have, is none.
 */
export function credentialsSent(requests: readonly GitRequest[]): string[] {
  const sent = requests.flatMap(({ scheme, host, user, password }) =>
    user === undefined || password === "" ? [] : [`${scheme}://${host} ${user}:${password}`],
  );
  return [...new Set(sent)].toSorted();
}
