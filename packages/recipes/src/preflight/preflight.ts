import type { Network } from "@rad/artifacts/download";
import { ApiError, type Clock, Limiter, type Logger, type SecretReference, secretReferencesIn } from "@rad/core";
import {
  type LoadedSecret,
  loadAwsCredential,
  loadAzureCredential,
  type ScopeResource,
  type TypeRecipe,
} from "@rad/radius-types";
import type { ResourceReader } from "@rad/resources";
import {
  type ExecutionLease,
  type ExecutionLeases,
  type GitCredential,
  type GitToken,
  installerNetwork,
  secretLookup,
  storedGitCredential,
  type TerraformRuns,
} from "@rad/terraform";
import { acquireBinary } from "../terraform/acquire-binary.ts";
import type { StatePlaces } from "../terraform/state-place.ts";
import { type Check, CheckList, type PreflightCheck } from "./check-list.ts";
import {
  type EnvironmentView,
  referenceKey,
  registriesOf,
  secretsOf,
  terraformSecrets,
  viewEnvironment,
} from "./environment-view.ts";
import { askBicepRegistry, askMirror, askRegistry } from "./host-checks.ts";
import { type Look, lookAtBackend, registryModule, resolveModules } from "./terraform-looks.ts";

/** The parts of a server that a preflight stands on. */
export interface PreflightOptions {
  readonly leases: Pick<ExecutionLeases, "acquire">;
  readonly runs: Pick<TerraformRuns, "open">;
  readonly states: StatePlaces;
  readonly clock: Clock;
  readonly requireSettings: boolean;
  readonly logLevel: string;
  /** Proxies and authorities that the server is configured with, as variables. */
  readonly network: Readonly<Record<string, string>>;
  /** Resolves when the store answers. */
  ping(): Promise<void>;
}

export interface PreflightRequest {
  readonly environment: ScopeResource;
  readonly resources: ResourceReader;
  readSecret(id: string, signal: AbortSignal): Promise<LoadedSecret>;
  hide(values: Iterable<string>): void;
  /** Without secrets. */
  redact(text: string): string;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export interface PreflightReport {
  readonly environmentId: string;
  /** No check has failed. */
  readonly valid: boolean;
  readonly checks: readonly PreflightCheck[];
}

// The longest chain of checks that need one another ends within the minute that a request may take.
const requestMs = 10_000;
const terraformMs = 25_000;
const mostHostsAtOnce = 20;

/** Whether recipes of an environment would find everything that they need. Changes nothing. */
export async function preflight(options: PreflightOptions, request: PreflightRequest): Promise<PreflightReport> {
  await using stack = new AsyncDisposableStack();
  const { environment, signal } = request;
  const checks = new CheckList(options.clock, signal, (error) => request.redact(describe(error)));
  const terraform = checks.add("terraform", { timeoutMs: terraformMs }, async (within) => {
    const binary = stack.use(await acquireBinary(options.leases, within));
    return { message: `${binary.product} ${binary.version}`, value: binary };
  });
  const settings = checks.add("settings", { timeoutMs: requestMs }, async () => {
    const view = await viewEnvironment(environment, { ...request, ...options });
    return { message: view.summary, value: view };
  });
  const view = await settings.value;
  if (view === undefined) {
    checks.skip("backend", "Needs 'settings'.");
    checks.skip("recipes", "Needs 'settings'.");
  } else {
    new EnvironmentChecks({ options, request, checks, view, terraform }).add();
  }
  const results = await checks.results();
  return {
    environmentId: environment.id.toString(),
    valid: results.every(({ status }) => status !== "failed"),
    checks: results,
  };
}

interface EnvironmentChecksOptions {
  readonly options: PreflightOptions;
  readonly request: PreflightRequest;
  readonly checks: CheckList;
  readonly view: EnvironmentView;
  readonly terraform: Check<ExecutionLease>;
}

/** The checks of an environment whose settings are known. */
class EnvironmentChecks {
  readonly #given: EnvironmentChecksOptions;
  readonly #network: Network;
  /** Settings may name any number of hosts. */
  readonly #turns = new Limiter(mostHostsAtOnce);
  /** By reference. */
  readonly #secrets = new Map<string, Check<string>>();
  readonly #tokens: Check<GitCredential>[] = [];
  readonly #loading = new Map<string, Promise<LoadedSecret>>();
  /** By id, in lower case: what has been read so far. */
  readonly #values = new Map<string, Record<string, string>>();

  constructor(given: EnvironmentChecksOptions) {
    this.#given = given;
    const { options, view } = given;
    this.#network = installerNetwork({
      ca: [view.authorities],
      proxy: { env: { ...options.network, ...(view.settings ?? view.recipeConfig)?.env } },
      resolve: undefined,
    });
  }

  add(): void {
    const { view } = this.#given;
    for (const reference of secretsOf(view)) {
      this.#addSecret(reference);
    }
    for (const token of view.tokens) {
      this.#addGitToken(token);
    }
    this.#addBackend();
    this.#addMirror();
    const registries = this.#addRegistries();
    this.#addBicepRegistries();
    this.#addRecipes(registries);
  }

  #addSecret(reference: SecretReference): void {
    const { request, checks } = this.#given;
    const { secretId, key } = reference;
    const check = checks.add(`secret ${secretId} ${key}`, { timeoutMs: requestMs }, async (signal) => {
      const { values } = await this.#load(secretId, signal);
      const value = Object.hasOwn(values, key) ? values[key] : undefined;
      if (value === undefined) {
        throw new ApiError("LoadSecretsFailed", `The secret has no key '${key}'. Set it with 'rad secret set'.`);
      }
      request.hide([value]);
      const id = secretId.toLowerCase();
      this.#values.set(id, { ...this.#values.get(id), [key]: value });
      return { message: "It can be read.", value };
    });
    this.#secrets.set(referenceKey(reference), check);
  }

  #addGitToken(token: GitToken): void {
    const { request, checks } = this.#given;
    const check = checks.add(`git token ${token.host}`, { timeoutMs: requestMs }, async (signal) => {
      const { values } = await this.#load(token.secretId, signal);
      const credential = storedGitCredential(token, values);
      request.hide([credential.password, ...(credential.username === undefined ? [] : [credential.username])]);
      return { message: `It can be read from '${token.secretId}'.`, value: credential };
    });
    this.#tokens.push(check);
  }

  /** Reads each secret once. */
  #load(secretId: string, signal: AbortSignal): Promise<LoadedSecret> {
    const id = secretId.toLowerCase();
    const loading = this.#loading.get(id) ?? this.#given.request.readSecret(secretId, signal);
    this.#loading.set(id, loading);
    return loading;
  }

  #secretsFor(references: readonly SecretReference[]): readonly Check<string>[] {
    return references.flatMap((reference) => this.#secrets.get(referenceKey(reference)) ?? []);
  }

  #addBackend(): void {
    const { options, request, checks, view, terraform } = this.#given;
    const type = view.settings?.backend?.type;
    const references = secretReferencesIn(view.settings?.backend?.config ?? {});
    const needs = [terraform, ...this.#secretsFor(references)];
    const name = type === undefined ? "backend" : `backend ${type}`;
    checks.add(name, { timeoutMs: terraformMs, needs }, async (signal) => {
      const { terraformrc: _terraformrc, ...settings } = view.settings ?? {};
      const [aws, azure] = await Promise.all([
        loadAwsCredential(request.resources),
        loadAzureCredential(request.resources),
      ]);
      const credentials = {
        ...(aws === undefined ? {} : { aws }),
        ...(azure === undefined ? {} : { azure }),
      };
      const look = await this.#look(signal);
      const message = await lookAtBackend({
        ...look,
        settings: view.settings && settings,
        recipeConfig: undefined,
        states: options.states,
        credentials,
        ping: () => options.ping(),
      });
      return { message, value: undefined };
    });
  }

  #addMirror(): void {
    const url = this.#given.view.settings?.terraformrc?.providerInstallation?.networkMirror?.url;
    if (url !== undefined) {
      const host = URL.parse(url)?.host ?? url;
      this.#addHost(`mirror ${host}`, host, (request) => askMirror(url, request));
    }
  }

  /** Hosts with a token, but for the mirror's, and hosts of recipes. */
  #addRegistries(): ReadonlyMap<string, Check<unknown>> {
    const { view } = this.#given;
    const { terraformrc } = view.settings ?? {};
    const mirror = URL.parse(terraformrc?.providerInstallation?.networkMirror?.url ?? "")?.host;
    const modules = new Map<string, string | undefined>();
    for (const { definition } of view.recipes.filter(isTerraform)) {
      const known = registryModule(definition.source);
      if (known !== undefined && !modules.has(known.host)) {
        modules.set(known.host, known.module);
      }
    }
    for (const host of Object.keys(terraformrc?.credentials ?? {})) {
      if (host.toLowerCase() !== mirror && !modules.has(host.toLowerCase())) {
        modules.set(host.toLowerCase(), undefined);
      }
    }
    return new Map(
      [...modules].map(([host, module]) => [
        host,
        this.#addHost(`registry ${host}`, host, (request) => askRegistry(host, module, request)),
      ]),
    );
  }

  #addHost(
    name: string,
    host: string,
    ask: (request: Parameters<typeof askMirror>[1]) => Promise<string>,
  ): Check<unknown> {
    const { checks, view } = this.#given;
    const credentials = Object.entries(view.settings?.terraformrc?.credentials ?? {});
    const entry = credentials.find(([known]) => known.toLowerCase() === host.toLowerCase())?.[1];
    const reference = entry && ("token" in entry ? entry.token : { secretId: entry.secret, key: "token" });
    const needs = reference === undefined ? [] : this.#secretsFor([reference]);
    return checks.add(name, { timeoutMs: requestMs, needs, turns: this.#turns }, async (signal) => ({
      message: await ask({
        network: this.#network,
        token: await needs[0]?.value,
        timeoutMs: requestMs,
        signal,
      }),
      value: undefined,
    }));
  }

  #addBicepRegistries(): void {
    const { checks, view } = this.#given;
    for (const [host, { references, login }] of Object.entries(registriesOf(view.bicep))) {
      const needs = this.#secretsFor(references);
      checks.add(`bicep registry ${host}`, { timeoutMs: requestMs, needs, turns: this.#turns }, async (signal) => {
        const lookup = secretLookup(this.#values);
        const request = { network: this.#network, timeoutMs: requestMs, signal };
        const known = references.length === 0 ? undefined : login(lookup);
        return { message: await askBicepRegistry(host, known, request), value: undefined };
      });
    }
  }

  /** Terraform gets all modules at once, those whose needs are met. */
  #addRecipes(registries: ReadonlyMap<string, Check<unknown>>): void {
    const { checks, view, terraform } = this.#given;
    const ofRuns = [terraform, ...this.#tokens, ...this.#secretsFor(terraformSecrets(view))];
    const recipes = view.recipes.filter(isTerraform).map((recipe) => {
      const registry = registries.get(registryModule(recipe.definition.source)?.host ?? "");
      const secrets = this.#secretsFor(secretReferencesIn(recipe.definition.parameters));
      return { recipe, needs: [...ofRuns, ...(registry === undefined ? [] : [registry]), ...secrets] };
    });
    let resolving: Promise<ReadonlyMap<TypeRecipe, string>> | undefined;
    const resolve = async (signal: AbortSignal): Promise<ReadonlyMap<TypeRecipe, string>> => {
      const ready = await Promise.all(recipes.map(({ needs }) => havePassed(needs)));
      const resolvable = recipes.filter((_, index) => ready[index] === true).map(({ recipe }) => recipe);
      return await resolveModules(await this.#look(signal), resolvable);
    };
    for (const { recipe, needs } of recipes) {
      const { type, definition } = recipe;
      checks.add(`recipe ${type}/${definition.name}`, { timeoutMs: terraformMs, needs }, async (signal) => {
        resolving ??= resolve(signal);
        const problem = (await resolving).get(recipe);
        if (problem !== undefined) {
          throw new Error(problem);
        }
        const version = definition.version === undefined ? "" : ` ${definition.version}`;
        return { message: `${definition.source}${version}`, value: undefined };
      });
    }
    for (const { type, definition } of view.recipes.filter((recipe) => !isTerraform(recipe))) {
      checks.skip(`recipe ${type}/${definition.name}`, `Recipes of the kind '${definition.kind}' are not checked.`);
    }
  }

  async #look(signal: AbortSignal): Promise<Look> {
    const { options, request, view, terraform } = this.#given;
    const binary = await terraform.value;
    if (binary === undefined) {
      throw new Error("Terraform is not there."); // a check that needs it is skipped before
    }
    // Only what has been read: a recipe whose token is missing is not asked for.
    const git = (await Promise.all(this.#tokens.map(({ value }) => value))).filter((token) => token !== undefined);
    return {
      runs: options.runs,
      binary,
      environmentId: request.environment.id,
      settings: view.settings,
      recipeConfig: view.recipeConfig,
      tokens: view.tokens,
      lookup: secretLookup(this.#values),
      git,
      secrets: [
        ...[...this.#values.values()].flatMap((values) => Object.values(values)),
        ...git.map(({ password }) => password),
      ],
      logLevel: options.logLevel,
      variables: options.network,
      network: this.#network,
      log: request.log,
      signal,
    };
  }
}

async function havePassed(needs: readonly Check<unknown>[]): Promise<boolean> {
  const results = await Promise.all(needs.map(({ ended }) => ended));
  return results.every(({ status }) => status === "passed");
}

function isTerraform({ definition }: TypeRecipe): boolean {
  return definition.kind === "terraform";
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
