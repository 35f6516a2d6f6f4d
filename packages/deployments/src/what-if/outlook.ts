import { randomUUID } from "node:crypto";
import { ApiError, Redactor, type JsonObject, type JsonValue } from "@rad/core";
import type { Budget, NodeResult, PendingAction, PendingCall, PendingRead, ProviderKind } from "@rad/templates";
import type { DeploymentHost } from "../deployment-host.ts";
import type { ReadOrder } from "../deployment-target.ts";
import { canRedact } from "../can-redact.ts";
import { idOrder } from "../target-order.ts";
import { textsIn } from "../texts-in.ts";
import type { Requester } from "@rad/resources";
import { LinkedContent } from "./linked-content.ts";

export interface OutlookDeps {
  readonly host: DeploymentHost;
  readonly requester: Requester;
  readonly signal: AbortSignal;
  /** Whether the answer has the bodies of resources in it. */
  readonly showsBodies: boolean;
  /** Of the request: what all rounds of looking ahead spend together. */
  readonly budget: Budget;
}

/** Characters that an answer may have as JSON, about. A client that shows them to a person has no use for more. */
const maxAnswerLength = 16 << 20;

/** Resources in a deployment and all that is nested in it: loops of modules in loops of modules come to any number. */
const maxNodes = 50_000;

/**
 * The world as it will be while a deployment with everything nested in it runs, as far as that can be told before:
 * what the deployment leaves alone is read, of what it changes only the part that was sent is known.
 */
export class Outlook {
  readonly deps: OutlookDeps;
  /** What must not be shown: secrets of the plans, and whatever actions answer. */
  readonly secrets = new Redactor();
  readonly linked: LinkedContent;
  /** By id in lower case. */
  readonly #changing = new Map<string, NodeResult>();
  readonly #secureOutputs = new Map<string, NodeResult>();
  /** By the key of a call; without a result when it cannot be told. */
  readonly #answers = new Map<string, NodeResult | undefined>();
  /** Keys of the calls that were about a resource, by its id in lower case. */
  readonly #callsById = new Map<string, string[]>();

  readonly #requester: Requester;
  #nodesLeft = maxNodes;
  #lengthLeft = maxAnswerLength;
  #hasSecrets = false;
  #secretCount = 0;
  /** Set when this outlook is that of somebody who knows no secrets: the outlook of somebody who does. */
  readonly sighted: Outlook | undefined;

  constructor(deps: OutlookDeps, sighted?: Outlook) {
    this.deps = { ...deps, requester: { ...deps.requester, hide: (values) => this.#hideTexts(values) } };
    this.#requester = deps.requester;
    this.sighted = sighted;
    this.linked = sighted?.linked ?? new LinkedContent(deps.host, deps.signal);
  }

  /** Whether anything was seen that must not be shown, of whatever kind. */
  get hasSecrets(): boolean {
    return this.#hasSecrets;
  }

  noteSecrets(): void {
    this.#hasSecrets = true;
  }

  /** Whether one more deployment can be looked into. */
  get hasRoom(): boolean {
    return this.#nodesLeft > 0;
  }

  takeRoom(nodes: number): void {
    this.#nodesLeft -= nodes;
  }

  /** For what the answer will tell of one resource. */
  takeAnswer(length: number): void {
    this.#lengthLeft -= length;
  }

  /** @throws ApiError `DeploymentSizeExceeded`, `InvalidTemplate` when the answer is too long, or takes too long. */
  checkLimits(): void {
    if (this.#lengthLeft < 0) {
      const message =
        `What the deployment would do takes more than ${maxAnswerLength} characters to tell. ` +
        "Ask with resultFormat ResourceIdOnly, or split the template.";
      throw new ApiError("DeploymentSizeExceeded", message);
    }
    if (this.deps.budget.left < 0) {
      const message =
        "The deployment takes too many steps to evaluate. Split the template, or compute less in its expressions.";
      throw new ApiError("InvalidTemplate", `Deployment template validation failed: ${message}`);
    }
  }

  /** Whether all secrets can be looked for in a value of this length. */
  canRedact(length: number): boolean {
    return canRedact(length, this.#secretCount);
  }

  isChanging(id: string): boolean {
    return this.#changing.has(id.toLowerCase());
  }

  /** From here on the resource is one of those that the deployment changes; whoever asks again is told so. */
  expectChange(id: string, result: NodeResult): void {
    const changed = id.toLowerCase();
    this.#changing.set(changed, result);
    for (const key of this.#callsById.get(changed) ?? []) {
      this.#answers.delete(key);
    }
    this.#callsById.delete(changed);
  }

  expectSecureOutputs(id: string, result: NodeResult): void {
    this.#secureOutputs.set(id.toLowerCase(), result);
  }

  hide(value: JsonValue): void {
    this.#hideTexts(textsIn(value));
  }

  /** Targets hide what they find out to be secret, such as a value that was made of one. */
  #hideTexts(values: Iterable<string>): void {
    const texts = [...values];
    this.#secretCount += texts.length;
    this.secrets.add(texts);
    this.#requester.hide(texts);
  }

  answerTo(key: string): NodeResult | undefined {
    return this.#answers.get(key);
  }

  /** Finds the answers to those calls that nobody has asked before; says whether there is a new one. */
  async ask(calls: readonly PendingCall[]): Promise<boolean> {
    let found = false;
    for (const call of calls.filter(({ key }) => !this.#answers.has(key))) {
      const result = await (call.kind === "read" ? this.#read(call) : this.#act(call));
      const id = call.id.toLowerCase();
      this.#answers.set(call.key, result);
      this.#callsById.set(id, [...(this.#callsById.get(id) ?? []), call.key]);
      found ||= result !== undefined;
    }
    return found;
  }

  /** What is expected at a place: the id of a resource, or a name of its own where the id is not known. */
  expectedAt(place: string): NodeResult | undefined {
    return this.#changing.get(place.toLowerCase());
  }

  /** The resource as it is now. */
  async current(provider: ProviderKind, order: ReadOrder, permittedAt: string): Promise<JsonObject | undefined> {
    const { host, requester } = this.deps;
    host.authorize(requester.caller, `${order.type}/read`, permittedAt);
    return provider === "deployments"
      ? (await host.store.get(order.id ?? ""))?.body
      : await host.targets[provider]?.read(order);
  }

  async #read(call: PendingRead): Promise<NodeResult | undefined> {
    const changing = this.#changing.get(call.id.toLowerCase());
    if (changing !== undefined) {
      return changing;
    }
    const { host } = this.deps;
    if (call.provider !== "deployments" && host.targets[call.provider] === undefined) {
      return undefined;
    }
    const order = { ...idOrder(call.id, call.apiVersion, this.deps), body: undefined };
    const body = await this.current(call.provider, order, call.id);
    if (body === undefined && !call.nullIfNotFound) {
      throw new ApiError("NotFound", `The resource "${call.id}" does not exist.`, { target: call.id });
    }
    return { body: body ?? null };
  }

  /** Actions that list or get something are asked of resources that stay as they are; all others may have effects. */
  async #act(call: PendingAction): Promise<NodeResult | undefined> {
    const { id, action, body, args } = call;
    const outputs = this.#secureOutputs.get(id.toLowerCase());
    if (outputs !== undefined && action.toLowerCase() === "listoutputswithsecurevalues") {
      return outputs;
    }
    const { host, requester } = this.deps;
    const target = host.targets[call.provider];
    if (target === undefined || this.#changing.has(id.toLowerCase()) || !/^(?:list|get)/i.test(action)) {
      return undefined;
    }
    if (this.sighted !== undefined) {
      return undefined; // what actions tell may be secret
    }
    const order = idOrder(id, call.apiVersion, this.deps);
    host.authorize(requester.caller, `${order.type}/${action}/action`, id);
    const answer = await target.act({ ...order, key: randomUUID(), action, body, args });
    this.hide(answer);
    this.noteSecrets();
    return { body: answer };
  }
}
