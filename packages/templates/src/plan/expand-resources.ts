import { type Pausing, withoutPause } from "../pausing.ts";
import { getMember } from "../values/members.ts";
import { isObject, type Value } from "../values/value.ts";
import { evaluateCompiled, evaluateCount, type CompiledEnvironment } from "./evaluate-compiled.ts";
import type { ExtensionValues } from "./extension-values.ts";
import type { LoopStack, Round } from "./loop-stack.ts";
import type { PlanLimits, ProviderKind, ResourceOptions } from "./plan.ts";
import { AlreadyReported, PlanProblem, type ProblemLog } from "./plan-problem.ts";
import { providerOf } from "./providers.ts";
import type { ResourceEntry } from "./resource-entry.ts";
import { readCondition } from "./read-condition.ts";
import { readTimeout } from "./resource-options.ts";
import { ResourceIndex } from "./resource-index.ts";
import type { ResourceInstance } from "./resource-instance.ts";
import type { ResourcePlacement } from "./resource-placement.ts";
import type { Taint } from "./taint.ts";

export interface ExpansionDeps {
  readonly entries: readonly ResourceEntry[];
  readonly symbolic: boolean;
  readonly limits: PlanLimits;
  readonly log: ProblemLog;
  readonly loops: LoopStack;
  readonly extensions: ExtensionValues;
  readonly placement: ResourcePlacement;
  readonly taint: Taint;
  readonly environment: () => CompiledEnvironment;
}

interface Parent {
  readonly key: string;
  readonly name: string | undefined;
  readonly rounds: readonly Round[];
}

/** For the id, the key and the index, besides what the expressions take. */
const instanceSteps = 20;

/** Makes one instance per round of each resource's loop, with its name, id and condition. */
export class ResourceExpansion {
  readonly index: ResourceIndex;
  readonly instances: ResourceInstance[] = [];
  /** Serial loops, for the order of their batches. */
  readonly loops: { readonly entry: ResourceEntry; readonly instances: readonly ResourceInstance[] }[] = [];
  readonly #deps: ExpansionDeps;
  readonly #bySymbol: ReadonlyMap<string, ResourceEntry>;
  readonly #done = new Map<ResourceEntry, "running" | "failed" | "done">();

  constructor(deps: ExpansionDeps) {
    this.#deps = deps;
    this.index = new ResourceIndex(deps.symbolic);
    this.#bySymbol = new Map(deps.entries.map((entry) => [(entry.symbol ?? "").toLowerCase(), entry]));
    this.#refuseEqualLoops();
  }

  *run(): Pausing<void> {
    for (const entry of this.#deps.entries) {
      if (!this.#done.has(entry)) {
        yield* this.#expandOnce(entry);
      }
    }
  }

  /** By `symbol` or `symbol[2]`, also while others are still being expanded: their names may need this one's. */
  instance(text: string): ResourceInstance | undefined {
    const symbol = /^(.*?)(?:\[\d+\])?$/s.exec(text)?.[1] ?? text;
    const entry = this.#bySymbol.get(symbol.toLowerCase());
    if (entry !== undefined) {
      const state = this.#done.get(entry) ?? withoutPause(this.#expandOnce(entry));
      if (state === "running") {
        throw new PlanProblem("Cycle", `The resource "${symbol}" needs its own name or id to compute them.`);
      }
      if (state === "failed") {
        throw new AlreadyReported();
      }
    }
    const target = this.index.find(text);
    return target?.kind === "instance" ? target.instance : undefined;
  }

  *#expandOnce(entry: ResourceEntry): Pausing<"failed" | "done"> {
    this.#done.set(entry, "running");
    const { log, loops } = this.#deps;
    const work = (): Pausing<boolean> => this.#expand(entry, undefined);
    const expanded = yield* log.attemptSlices(entry.path, () => loops.allSlices([], work));
    const state = expanded === true ? "done" : "failed";
    if (state === "failed") {
      this.index.addFailed(entry.symbol ?? entry.loop?.name ?? entry.path);
    }
    this.#done.set(entry, state);
    return state;
  }

  *#expand(entry: ResourceEntry, parent: Parent | undefined): Pausing<true> {
    const rounds = parent?.rounds ?? [];
    const baseKey = keyOf(entry, parent);
    if (entry.loop === undefined) {
      yield* this.#add(entry, baseKey, rounds, parent, undefined);
      return true;
    }
    const { loop } = entry;
    const count = evaluateCount(loop.count, `${loop.path}.count`, this.#deps.environment());
    const instances: ResourceInstance[] = [];
    const name = loop.name.toLowerCase();
    for (let index = 0; index < count; index += 1) {
      const inner = [...rounds, { loop: name, index, unnamed: true }];
      const instance = yield* this.#add(entry, `${baseKey}[${index}]`, inner, parent, index);
      if (instance !== undefined) {
        instances.push(instance);
      }
    }
    this.index.addLoop(entry.symbol ?? loop.name, instances);
    this.loops.push({ entry, instances });
    return true;
  }

  *#add(
    entry: ResourceEntry,
    key: string,
    rounds: readonly Round[],
    parent: Parent | undefined,
    copyIndex: number | undefined,
  ): Pausing<ResourceInstance | undefined> {
    const { limits, loops, log } = this.#deps;
    const { budget } = this.#deps.environment();
    if (budget.isDue) {
      yield budget;
    }
    budget.spend(instanceSteps);
    if (this.instances.length >= limits.resources) {
      throw new PlanProblem("LimitExceeded", `A template deploys at most ${limits.resources} resources.`);
    }
    const instance = log.attempt(entry.path, () =>
      loops.all(rounds, () => this.#instance(entry, key, rounds, parent, copyIndex)),
    );
    if (instance === undefined) {
      this.index.addFailed(key);
      return undefined;
    }
    this.instances.push(instance);
    this.index.add(instance);
    const self = { key, name: instance.name, rounds };
    for (const child of entry.children) {
      yield* this.#expand(child, self);
    }
    return instance;
  }

  #instance(
    entry: ResourceEntry,
    key: string,
    rounds: readonly Round[],
    parent: Parent | undefined,
    copyIndex: number | undefined,
  ): ResourceInstance {
    const environment = this.#deps.environment();
    refuseSecretNames(entry, this.#deps.taint);
    const extension = entry.extension === undefined ? undefined : this.#deps.extensions.use(entry.extension);
    const provider = providerOf(extension?.name, entry.type);
    const ownName =
      entry.name === undefined ? undefined : readName(evaluateCompiled(entry.name, environment), entry, provider);
    const name = parent?.name === undefined || ownName === undefined ? ownName : `${parent.name}/${ownName}`;
    const deployed =
      entry.condition === undefined ||
      readCondition(evaluateCompiled(entry.condition, environment), `${entry.path}.condition`);
    checkAsserts(entry, deployed, environment);
    const place = this.#deps.placement.place(entry, provider, name, environment);
    const options = deployed ? readWholeOptions(entry, environment) : entry.options;
    const constantBody = undefined;
    return { key, entry, rounds, copyIndex, provider, extension, name, ...place, options, deployed, constantBody };
  }

  /** Without symbolic names a loop is known by its own name, which then must be unique. */
  #refuseEqualLoops(): void {
    const names = new Set<string>();
    const visit = (entry: ResourceEntry): void => {
      const name = entry.loop?.name.toLowerCase();
      if (name !== undefined && entry.loop !== undefined) {
        if (names.has(name)) {
          this.#deps.log.add("InvalidLoop", `${entry.loop.path}.name`, `There is another loop "${entry.loop.name}".`);
        }
        names.add(name);
      }
      entry.children.forEach(visit);
    };
    if (!this.#deps.symbolic) {
      this.#deps.entries.forEach(visit);
    }
  }
}

function keyOf(entry: ResourceEntry, parent: Parent | undefined): string {
  if (entry.symbol !== undefined) {
    return entry.symbol;
  }
  const place = entry.path.slice(entry.path.lastIndexOf(".") + 1);
  return parent === undefined ? place : `${parent.key}.${place}`;
}

function readName(value: Value, { path }: ResourceEntry, provider: ProviderKind): string {
  if (typeof value !== "string" || value === "") {
    const at = provider === "radius" ? `${path}.properties.name` : `${path}.name`;
    throw new PlanProblem("InvalidName", "The name of a resource must be a text that is not empty.", at);
  }
  return value;
}

/** Ids are shown everywhere, and nothing in them can be sealed. */
function refuseSecretNames(entry: ResourceEntry, taint: Taint): void {
  for (const part of ["name", "scope", "subscriptionId", "resourceGroup"] as const) {
    const compiled = entry[part];
    if (compiled !== undefined && taint.isSecret(compiled)) {
      const message = `The ${part} of a resource must not be made of a secret: it is part of the id, which is not secret.`;
      throw new PlanProblem("InvalidName", message, compiled.kind === "expression" ? compiled.path : entry.path);
    }
  }
}

function readWholeOptions({ options, waitUntil }: ResourceEntry, environment: CompiledEnvironment): ResourceOptions {
  if (waitUntil === undefined) {
    return options;
  }
  const timeout = readTimeout(evaluateCompiled(waitUntil.timeout, environment), `${waitUntil.path}[1]`);
  return { ...options, waitUntil: { timeout } };
}

function checkAsserts({ asserts, path }: ResourceEntry, deployed: boolean, environment: CompiledEnvironment): void {
  if (asserts === undefined || !deployed) {
    return;
  }
  const values = evaluateCompiled(asserts, environment);
  if (!isObject(values)) {
    throw new PlanProblem("InvalidShape", '"asserts" must be an object.', `${path}.asserts`);
  }
  for (const name of values.keys()) {
    if (getMember(values, name) !== true) {
      throw new PlanProblem("AssertionFailed", `The assertion "${name}" does not hold.`, `${path}.asserts.${name}`);
    }
  }
}
