import { randomUUID } from "node:crypto";
import type { Logger, ResourceId } from "@rad/core";
import type { Network } from "@rad/artifacts/download";
import {
  backendLook,
  backendOf,
  type CloudCredentials,
  type ExecutionLease,
  type GitCredential,
  type GitToken,
  isEmptyBackend,
  moduleConfiguration,
  type RecipeConfig,
  RunError,
  type SecretLookup,
  terraformrcOf,
  type TerraformRuns,
  type TerraformSettings,
} from "@rad/terraform";
import type { TypeRecipe } from "@rad/radius-types";
import { gitFailureOf } from "../terraform/git-failure.ts";
import { addressSecrets, type ModuleAccess, moduleAccess } from "../terraform/module-source.ts";
import { runVariables } from "../terraform/run-variables.ts";
import type { StatePlaces } from "../terraform/state-place.ts";

/** What Terraform is asked with, without a state of its own. */
export interface Look {
  readonly runs: Pick<TerraformRuns, "open">;
  readonly binary: ExecutionLease;
  readonly environmentId: ResourceId;
  readonly settings: TerraformSettings | undefined;
  readonly recipeConfig: RecipeConfig | undefined;
  readonly lookup: SecretLookup;
  readonly tokens: readonly GitToken[];
  readonly git: readonly GitCredential[];
  /** Every value that was read. */
  readonly secrets: readonly string[];
  readonly logLevel: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly network: Pick<Network, "checkAddresses">;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export interface BackendLookOptions extends Look {
  readonly states: StatePlaces;
  readonly credentials: CloudCredentials;
  /** Resolves when the store answers, which keeps states that have no other backend. */
  ping(): Promise<void>;
}

/** Reads from the backend with the run's own credentials. Writes nothing and takes no lock. @throws RunError, ConfigurationError */
export async function lookAtBackend(options: BackendLookOptions): Promise<string> {
  const { environmentId, settings, states, lookup, credentials, network } = options;
  const place = await states.place({ username: "", password: "" }, "look");
  if (settings?.backend === undefined && place.kind === "controlPlane") {
    await options.ping();
    return "The control plane keeps the states.";
  }
  const backend = backendOf({
    settings: settings?.backend,
    owner: {
      resourceId: environmentId.toString(),
      environmentName: environmentId.name,
      applicationName: undefined,
    },
    place,
    secrets: lookup,
    credentials,
    session: "radius-terraform-preflight",
  });
  for (const url of urlsIn({ ...backend.config, ...backend.env })) {
    await network.checkAddresses(url);
  }
  const { files, command } = backendLook(backend);
  const order = orderOf(options, files, { env: backend.env, secrets: backend.secretValues });
  await using run = await options.runs.open(order);
  try {
    await run.readBackend(command);
  } catch (error) {
    if (error instanceof RunError && isEmptyBackend(backend.type, error.message)) {
      return "It answers. The first recipe creates what it needs there.";
    }
    throw error;
  }
  return "It answers, and lets us read.";
}

/**
 * Downloads the modules of all recipes, at once where they are fetched with the same credentials.
 * @returns what is wrong with those that it cannot get
 */
export async function resolveModules(
  look: Look,
  recipes: readonly TypeRecipe[],
): Promise<ReadonlyMap<TypeRecipe, string>> {
  const problems = new Map<TypeRecipe, string>();
  const found: AddressedRecipe[] = [];
  for (const recipe of recipes) {
    try {
      const access = moduleAccess(recipe, look.git);
      for (const url of urlsIn({ source: addressOf(access.source) })) {
        await look.network.checkAddresses(url);
      }
      found.push({ recipe, access });
    } catch (error) {
      problems.set(recipe, error instanceof Error ? error.message : String(error));
    }
  }
  const together = Map.groupBy(found, ({ access }) => JSON.stringify(access.git)).values();
  const results = await Promise.all([...together].map((group) => getModules(look, group)));
  results.flat().forEach(([recipe, problem]) => problems.set(recipe, problem));
  return problems;
}

interface AddressedRecipe {
  readonly recipe: TypeRecipe;
  readonly access: ModuleAccess;
}

/** @param group recipes with the same Git credentials @returns what is wrong with those that it cannot get */
async function getModules(
  look: Look,
  group: readonly AddressedRecipe[],
): Promise<readonly (readonly [TypeRecipe, string])[]> {
  // A file for each, because Terraform names files where it does not name modules.
  const files = group.map(({ recipe: { definition }, access: { source } }, index) => {
    const module = { key: keyOf(index), source, version: definition.version };
    return [`${module.key}.tf.json`, JSON.stringify(moduleConfiguration(module, look.binary.product), undefined, 2)];
  });
  const git = group[0]?.access.git ?? [];
  const own = group.flatMap(({ recipe: { definition } }) => addressSecrets(definition));
  const order = orderOf({ ...look, git }, Object.fromEntries(files), { secrets: own });
  await using run = await look.runs.open(order);
  try {
    await run.getModules();
    return [];
  } catch (error) {
    if (!(error instanceof RunError)) {
      throw error;
    }
    const attributed = group.flatMap(({ recipe }, index) => {
      const problem = problemOf(error, keyOf(index));
      return problem === undefined ? [] : [[recipe, explained(problem, recipe, look)] as const];
    });
    if (attributed.length === 0) {
      throw error;
    }
    return attributed;
  }
}

/** What git said in words of our own, as in the error of a deployment. */
function explained(problem: string, { definition }: TypeRecipe, { tokens }: Look): string {
  const { source, userInfo } = definition;
  const failure = gitFailureOf(problem, { source, tokens, userInfo });
  return failure === undefined ? problem : `${failure.cause}. ${failure.advice}.`;
}

/** Terraform names the block or the file of each module that it could not get, and shows its first line. */
function problemOf({ diagnostics }: RunError, key: string): string | undefined {
  const texts = diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ summary, detail }) => `${summary}: ${detail}`);
  return texts
    .find((text) => text.includes(`"${key}"`) || text.includes(`${key}.tf.json`))
    ?.replace(/on \S+ line \d+, in module[^\n]*\n\s*\d+: [^\n]*?\{ /u, "")
    .replaceAll(`module "${key}"`, "the module")
    .replaceAll(new RegExp(` \\(${key}\\.tf\\.json:\\d+\\)`, "gu"), "");
}

function keyOf(index: number): string {
  return `preflight_recipe_${index}`;
}

function orderOf(
  look: Look,
  files: Readonly<Record<string, string>>,
  more: { readonly env?: Readonly<Record<string, string>>; readonly secrets?: readonly string[] },
) {
  const { settings, recipeConfig, lookup, logLevel, variables, binary, log, signal, environmentId } = look;
  const env = runVariables({ settings, recipeConfig, secrets: lookup, git: look.git, logLevel, network: variables });
  const terraformrc = terraformrcOf({ providerInstallation: settings?.terraformrc?.providerInstallation });
  return {
    runId: randomUUID(),
    resourceId: environmentId.toString(),
    purpose: "metadata" as const,
    binary,
    files: { ".terraformrc": terraformrc, ...files },
    env: { ...env, ...more.env },
    secrets: [...look.secrets, ...(more.secrets ?? [])],
    signal,
    log,
    onEvent: () => {},
  };
}

/** Arguments and variables of backends that name a server without a scheme, too: `10.0.0.1:8500`. */
const namesServer = /^(?:address|host|endpoint|metadata_host|[A-Z_]+_(?:ADDR|HOST|HOSTNAME))$/u;

/** The URLs of servers among the values, which Terraform is about to connect to. */
export function urlsIn(values: Readonly<Record<string, unknown>>): readonly URL[] {
  return Object.entries(values).flatMap(([name, value]): readonly URL[] => {
    if (typeof value === "string") {
      const hasScheme = /^[a-z][a-z0-9+]*:\/\//iu.test(value);
      const url = hasScheme ? URL.parse(value) : namesServer.test(name) ? URL.parse(`https://${value}`) : null;
      return url === null || url.hostname === "" ? [] : [url];
    }
    return typeof value === "object" && value !== null ? urlsIn(value as Record<string, unknown>) : [];
  });
}

/** `https://host/…` of a module source: a registry's host, a URL, or a repository's. */
function addressOf(source: string): string {
  const plain = source.replace(/^[a-z0-9]+::/iu, "");
  if (/^[a-z][a-z0-9+]*:\/\//iu.test(plain)) {
    return plain;
  }
  const [host = ""] = plain.split("/", 1);
  return /[.:]/u.test(host) ? `https://${host}/` : "";
}

/** The host of a registry and the address of the module in it; `undefined` for other sources. */
export function registryModule(source: string): { readonly host: string; readonly module: string } | undefined {
  const parts = (source.split("//", 1)[0] ?? "").split("/");
  const [host = "", ...rest] = parts;
  const isRegistry = parts.length === 4 && /[.:]/u.test(host) && !/[:@?]/u.test(rest.join(""));
  return isRegistry ? { host: host.toLowerCase(), module: rest.join("/") } : undefined;
}
