import { ApiError, Redactor, ResourceId, type JsonObject, type JsonValue } from "@rad/core";
import type { PendingAction, PendingCall, PendingRead } from "@rad/templates";
import type { DeploymentHost } from "../deployment-host.ts";
import type { Requester } from "../deployment-target.ts";

export interface OutlookDeps {
  readonly host: DeploymentHost;
  readonly requester: Requester;
  readonly signal: AbortSignal;
}

/** What a resource will look like. When that is not certain, members that are missing may be there all the same. */
export interface Expected {
  readonly certain: boolean;
  readonly body: JsonValue;
}

/**
 * The world as it will be while a deployment with everything nested in it runs, as far as that can be told before:
 * what the deployment leaves alone is read, of what it changes only the part that was sent is known.
 */
export class Outlook {
  readonly deps: OutlookDeps;
  /** What must not be shown: secrets of the plans, and whatever actions answer. */
  readonly secrets = new Redactor();
  /** By id in lower case. */
  readonly #changing = new Map<string, JsonObject>();
  readonly #secureOutputs = new Map<string, JsonObject>();
  /** By the key of a call; `undefined` when it cannot be told. */
  readonly #answers = new Map<string, Expected | undefined>();

  constructor(deps: OutlookDeps) {
    this.deps = deps;
  }

  /** From here on the resource is one of those that the deployment changes. */
  expectChange(id: string, body: JsonObject): void {
    this.#changing.set(id.toLowerCase(), body);
  }

  expectSecureOutputs(id: string, values: JsonObject): void {
    this.hide(values);
    this.#secureOutputs.set(id.toLowerCase(), values);
  }

  hide(value: JsonValue): void {
    const texts = [...textsIn(value)];
    this.secrets.add(texts);
    this.deps.requester.hide(texts);
  }

  answerTo(key: string): Expected | undefined {
    return this.#answers.get(key);
  }

  /** Finds the answers to those calls that nobody has asked before; says whether there is a new one. */
  async ask(calls: readonly PendingCall[]): Promise<boolean> {
    let found = false;
    for (const call of calls.filter(({ key }) => !this.#answers.has(key))) {
      const answer = await (call.kind === "read" ? this.#read(call) : this.#act(call));
      this.#answers.set(call.key, answer);
      found ||= answer !== undefined;
    }
    return found;
  }

  /** The resource as it is now. */
  async current(call: Omit<PendingRead, "kind" | "key" | "nullIfNotFound">): Promise<JsonObject | undefined> {
    const { host, requester, signal } = this.deps;
    const { id, apiVersion } = call;
    host.authorize(requester.caller, `${ResourceId.parse(id).type}/read`, id);
    if (call.provider === "deployments") {
      return (await host.store.get(id))?.body;
    }
    return await host.targets[call.provider]?.read({ requester, id, apiVersion, signal });
  }

  async #read(call: PendingRead): Promise<Expected | undefined> {
    const changing = this.#changing.get(call.id.toLowerCase());
    if (changing !== undefined) {
      return { certain: false, body: changing };
    }
    const { host } = this.deps;
    if (call.provider !== "deployments" && host.targets[call.provider] === undefined) {
      return undefined;
    }
    const body = await this.current(call);
    if (body === undefined && !call.nullIfNotFound) {
      throw new ApiError("NotFound", `The resource "${call.id}" does not exist.`, { target: call.id });
    }
    return { certain: true, body: body ?? null };
  }

  /** Actions that list or get something are asked of resources that stay as they are; all others may have effects. */
  async #act(call: PendingAction): Promise<Expected | undefined> {
    const { id, action, apiVersion, body, args } = call;
    const outputs = this.#secureOutputs.get(id.toLowerCase());
    if (outputs !== undefined && action.toLowerCase() === "listoutputswithsecurevalues") {
      return { certain: false, body: outputs };
    }
    const { host, requester, signal } = this.deps;
    const target = host.targets[call.provider];
    if (target === undefined || this.#changing.has(id.toLowerCase()) || !/^(?:list|get)/i.test(action)) {
      return undefined;
    }
    host.authorize(requester.caller, `${ResourceId.parse(id).type}/${action}/action`, id);
    const answer = await target.act({ requester, id, apiVersion, signal, action, body, args });
    this.hide(answer);
    return { certain: true, body: answer };
  }
}

function* textsIn(value: JsonValue): Generator<string> {
  if (typeof value === "string") {
    yield value;
  } else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) {
      yield* textsIn(member);
    }
  }
}
