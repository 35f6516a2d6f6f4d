import { ApiError, inSlices, isJsonObject, type JsonObject, type JsonValue, objectMember } from "@rad/core";
import {
  evaluateNode,
  type Evaluation,
  sliced,
  type PendingAction,
  type PendingCall,
  type Plan,
  type PlanNode,
  type PlanResults,
  type ProviderKind,
  type Pausing,
} from "@rad/templates";
import { sealed } from "../deployment-document.ts";
import type { DeploymentTarget, ReadOrder, ResourceOrder } from "../deployment-target.ts";
import { permissionPlace } from "../node-permission.ts";
import { type RecordSubject, sealedResult } from "../records/node-record.ts";
import { sendKey } from "../records/send-key.ts";
import { idOrder, nodeOrder, type TargetNode } from "../target-order.ts";
import { EvaluationFailed } from "./failure-details.ts";
import type { NodeBodies } from "./node-bodies.ts";
import type { OpenedDeployment } from "./opened-deployment.ts";
import type { TreeContext } from "./tree-context.ts";
import { untilAnswered } from "./until-answered.ts";

const secureOutputsAction = "listoutputswithsecurevalues";
/** Each round answers calls that the one before could not know of; nobody nests them this deep. */
const maxRounds = 100;

export interface NodeAnswersDeps {
  readonly tree: TreeContext;
  readonly deployment: OpenedDeployment;
  readonly bodies: NodeBodies;
  readonly isDone: (key: string) => boolean;
}

/**
 * Evaluates the expressions of a deployment, and finds out whatever they ask for: from the results at hand, by reading
 * a finished node again, or by a call. A call is made once per deployment, because the second answer might differ and
 * an action might do something; its answer is sealed on its record.
 */
export class NodeAnswers {
  readonly #deps: NodeAnswersDeps;
  readonly #plan: Plan;
  readonly #nodeById = new Map<string, TargetNode>();
  /** By the key of a node: what targets have told in this attempt, where it is not as planned. */
  readonly #ids = new Map<string, string>();
  readonly #calls = new Map<string, Promise<JsonValue>>();
  readonly #answered = new Set<string>();

  constructor(deps: NodeAnswersDeps) {
    this.#deps = deps;
    this.#plan = deps.deployment.plan;
    for (const node of this.#plan.nodes.values()) {
      if (node.kind !== "barrier" && node.id !== undefined && node.skipped === undefined) {
        const id = node.id.toLowerCase();
        const known = this.#nodeById.get(id);
        if (known === undefined || known.kind === "existing") {
          this.#nodeById.set(id, node);
        }
      }
    }
  }

  /** The id of a node: what its target has told, in this attempt or an earlier one, and until then the planned one. */
  idOf({ id, key }: TargetNode): string | undefined {
    return this.#ids.get(key) ?? this.#deps.deployment.records.known(key)?.id ?? id;
  }

  learnId({ id: planned, key }: TargetNode, id: string | undefined): void {
    if (id !== undefined && id !== planned) {
      this.#ids.set(key, id);
    }
  }

  /** @throws EvaluationFailed; ApiError when a call is refused or fails. */
  async evaluate<T>(
    self: PlanNode | undefined,
    evaluate: (results: PlanResults) => Pausing<Evaluation<T>>,
  ): Promise<T> {
    const answers = new Map<string, JsonValue>();
    const bodies = new Map<string, JsonValue>();
    const missing = new Set<TargetNode>();
    const results: PlanResults = {
      node: (key) => {
        const body = this.#deps.bodies.get(key) ?? bodies.get(key);
        const node = body === undefined ? this.#doneWithoutId(key) : undefined;
        if (node !== undefined) {
          missing.add(node);
        }
        return asResult(body);
      },
      call: (key) => asResult(answers.get(key)),
    };
    for (let round = 0; round < maxRounds; round += 1) {
      missing.clear();
      const evaluation = await inSlices(sliced(evaluate(results)));
      if (evaluation.kind === "ready") {
        return evaluation.value;
      }
      if (evaluation.kind === "failed" && missing.size === 0) {
        throw new EvaluationFailed(evaluation);
      }
      for (const node of missing) {
        bodies.set(node.key, await this.#readAgain(node));
      }
      for (const call of evaluation.kind === "needs" ? evaluation.calls : []) {
        answers.set(call.key, await this.#answer(call, self));
      }
    }
    throw new ApiError("InvalidTemplate", `Expressions ask for more than ${maxRounds} rounds of calls.`);
  }

  /** The resource of a node as it is now; `null` when it is not there and that is an answer. */
  async readNode(node: TargetNode, at: NodePlace, nullIfNotFound: boolean): Promise<JsonValue> {
    const order = { ...nodeOrder(node, at.id, this.#orderedBy), body: at.body };
    return await this.#read(node.provider, order, nullIfNotFound);
  }

  target(provider: ProviderKind, id: string): DeploymentTarget {
    const target = this.#deps.tree.host.targets[provider];
    if (target === undefined) {
      throw new ApiError("InvalidTemplateDeployment", `'${id}' belongs to ${provider}, which is not available here.`);
    }
    return target;
  }

  get #orderedBy() {
    return { requester: this.#deps.tree.requester, signal: this.#deps.tree.abandon };
  }

  /** A finished node that expressions cannot ask for by its id, because the plan does not know that. */
  #doneWithoutId(key: string): TargetNode | undefined {
    const node = this.#plan.nodes.get(key);
    const isWithoutId = node !== undefined && node.kind !== "barrier" && node.id === undefined;
    return isWithoutId && this.#deps.isDone(key) ? node : undefined;
  }

  async #readAgain(node: TargetNode): Promise<JsonValue> {
    const id = this.idOf(node);
    const request =
      id === undefined ? await this.evaluate(node, (known) => evaluateNode(this.#plan, node.key, known)) : undefined;
    const body = request?.kind === "read" || request?.kind === "put" ? request.body : undefined;
    const found = await this.readNode(node, { id, body }, node.options.nullIfNotFound === true);
    this.#deps.bodies.offer(node.key, found);
    return found;
  }

  async #answer(call: PendingCall, self: PlanNode | undefined): Promise<JsonValue> {
    const node = this.#nodeOf(call);
    // `target()` asks for the resource as it was before, and gets the same answer whenever it asks.
    const isOwn = node !== undefined && node.key === self?.key;
    if (node !== undefined && !isOwn && this.#deps.isDone(node.key)) {
      if (call.kind === "read") {
        const body = await this.readNode(node, { id: call.id, body: undefined }, call.nullIfNotFound);
        this.#deps.bodies.offer(node.key, body);
        return body;
      }
      if (node.kind === "deployment" && call.action.toLowerCase() === secureOutputsAction) {
        return await this.#secureOutputs(node.id);
      }
    }
    return await this.#once(isOwn ? `${node.key}/${call.key}` : call.key, call);
  }

  #nodeOf(call: PendingCall): TargetNode | undefined {
    const target = call.kind === "action" && call.target !== undefined ? this.#plan.nodes.get(call.target) : undefined;
    return target === undefined || target.kind === "barrier" ? this.#nodeById.get(call.id.toLowerCase()) : target;
  }

  #once(key: string, call: PendingCall): Promise<JsonValue> {
    const running = this.#calls.get(key);
    if (running !== undefined) {
      return running;
    }
    const made = this.#make(key, call).finally(() => this.#calls.delete(key));
    this.#calls.set(key, made);
    return made;
  }

  async #make(key: string, call: PendingCall): Promise<JsonValue> {
    const { tree, deployment } = this.#deps;
    const { records } = deployment;
    if (this.#answered.has(key) || records.known(key)?.state === "Succeeded") {
      const answer = (await tree.host.store.secrets(records.id(key)))[sealedResult];
      if (answer !== undefined) {
        this.#hideAnswer(call, answer);
        return answer;
      }
    }
    const startedAt = tree.host.clock.now();
    const order = this.#orderOf(call);
    const permission = call.kind === "read" ? "read" : `${call.action}/action`;
    const place = permissionPlace(this.#nodeOf(call) ?? call, deployment.input);
    tree.host.authorize(tree.requester.caller, `${order.type}/${permission}`, place);
    const answer =
      call.kind === "read"
        ? await this.#read(call.provider, { ...order, body: undefined }, call.nullIfNotFound)
        : await this.#act(key, call, order);
    this.#hideAnswer(call, answer);
    const subject: RecordSubject = {
      key,
      operation: call.kind === "read" ? "Read" : "Action",
      id: call.id,
      type: order.type,
      name: order.name ?? "",
      symbolicName: undefined,
    };
    const progress = { state: "Succeeded", startedAt, statusCode: "OK" } as const;
    tree.hasLeftovers = true;
    await tree.write({ document: records.put(subject, progress, answer) });
    this.#answered.add(key);
    return answer;
  }

  /** A resource of the template is addressed through its extension, whichever way an expression names it. */
  #orderOf(call: PendingCall): ResourceOrder {
    const byId = idOrder(call.id, call.apiVersion, this.#orderedBy);
    const node = this.#nodeOf(call);
    const { extension, type, name } = node === undefined ? byId : nodeOrder(node, call.id, this.#orderedBy);
    return { ...byId, extension, type: byId.type || type, name: byId.name ?? name };
  }

  async #read(provider: ProviderKind, order: ReadOrder, nullIfNotFound: boolean): Promise<JsonValue> {
    const { tree } = this.#deps;
    const { id } = order;
    const body =
      provider === "deployments"
        ? (await tree.host.store.get(id ?? ""))?.body
        : await untilAnswered(tree, () => this.target(provider, id ?? order.type).read(order));
    if (body === undefined && !nullIfNotFound) {
      const what = id === undefined ? `of the type '${order.type}'` : `'${id}'`;
      throw new ApiError("NotFound", `The resource ${what} was not found.`, id === undefined ? {} : { target: id });
    }
    return body ?? null;
  }

  async #act(callKey: string, call: PendingAction, order: ResourceOrder): Promise<JsonValue> {
    const { tree, deployment } = this.#deps;
    const { id, provider, action, body, args } = call;
    if (provider === "deployments") {
      const message = `Only the deployment around it can read secure outputs of '${id}', once it has succeeded.`;
      throw new ApiError("Forbidden", message, { target: id });
    }
    const key = sendKey({ operationId: tree.operation.id, deploymentId: deployment.id, node: callKey });
    return await untilAnswered(tree, () => this.target(provider, id).act({ ...order, key, action, body, args }));
  }

  /** By name, without the level of `value` that plain outputs have. */
  async #secureOutputs(id: string): Promise<JsonValue> {
    const { tree } = this.#deps;
    const document = await tree.host.store.get(id);
    const plain = document === undefined ? {} : objectMember(objectMember(document.body, "properties"), "outputs");
    const secure = (await tree.host.store.secrets(id))[sealed.outputs] ?? {};
    tree.hideTextsIn(secure);
    const values: JsonObject = {};
    for (const [name, output] of Object.entries(plain)) {
      values[name] = (isJsonObject(output) ? output["value"] : undefined) ?? null;
    }
    return { ...values, ...(isJsonObject(secure) ? secure : {}) };
  }

  /** What an action tells is often a key or a password. */
  #hideAnswer(call: PendingCall, answer: JsonValue): void {
    if (call.kind === "action") {
      this.#deps.tree.hideTextsIn(answer);
    }
  }
}

/** Where the resource of a node is: at its id, or where its provider finds what the template says of it. */
export interface NodePlace {
  readonly id: string | undefined;
  readonly body: JsonObject | undefined;
}

function asResult(body: JsonValue | undefined): { readonly body: JsonValue } | undefined {
  return body === undefined ? undefined : { body };
}
