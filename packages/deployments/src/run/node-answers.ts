import { ApiError, isJsonObject, type JsonObject, type JsonValue, objectMember, ResourceId } from "@rad/core";
import type {
  Evaluation,
  PendingAction,
  PendingCall,
  PendingRead,
  Plan,
  PlanNode,
  PlanResults,
  ProviderKind,
} from "@rad/templates";
import { sealed } from "../deployment-document.ts";
import type { DeploymentTarget } from "../deployment-target.ts";
import { type RecordBook, type RecordSubject, sealedResult } from "../records/node-record.ts";
import { EvaluationFailed } from "./failure-details.ts";
import type { NodeBodies } from "./node-bodies.ts";
import type { TreeContext } from "./tree-context.ts";

type ResourceLikeNode = Exclude<PlanNode, { readonly kind: "barrier" }>;

const secureOutputsAction = "listoutputswithsecurevalues";
/** Each round answers calls that the one before could not know of; nobody nests them this deep. */
const maxRounds = 100;

export interface NodeAnswersDeps {
  readonly tree: TreeContext;
  readonly plan: Plan;
  readonly records: RecordBook;
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
  readonly #nodeById = new Map<string, ResourceLikeNode>();
  readonly #calls = new Map<string, Promise<JsonValue>>();
  readonly #answered = new Set<string>();

  constructor(deps: NodeAnswersDeps) {
    this.#deps = deps;
    for (const node of deps.plan.nodes.values()) {
      if (node.kind !== "barrier" && node.id !== undefined && node.skipped === undefined) {
        const id = node.id.toLowerCase();
        const known = this.#nodeById.get(id);
        if (known === undefined || known.kind === "existing") {
          this.#nodeById.set(id, node);
        }
      }
    }
  }

  nodeWithId(id: string): ResourceLikeNode | undefined {
    return this.#nodeById.get(id.toLowerCase());
  }

  /** @throws EvaluationFailed; ApiError when a call is refused or fails. */
  async evaluate<T>(self: PlanNode | undefined, evaluate: (results: PlanResults) => Evaluation<T>): Promise<T> {
    const answers = new Map<string, JsonValue>();
    const results: PlanResults = {
      node: (key) => asResult(this.#deps.bodies.get(key)),
      call: (key) => asResult(answers.get(key)),
    };
    for (let round = 0; round < maxRounds; round += 1) {
      const evaluation = evaluate(results);
      if (evaluation.kind === "ready") {
        return evaluation.value;
      }
      if (evaluation.kind === "failed") {
        throw new EvaluationFailed(evaluation);
      }
      for (const call of evaluation.calls) {
        answers.set(call.key, await this.#answer(call, self));
      }
    }
    throw new ApiError("InvalidTemplate", `Expressions ask for more than ${maxRounds} rounds of calls.`);
  }

  /** The resource of a finished node as it is now; `null` when it is not there and that is an answer. */
  async readNode(node: ResourceLikeNode, id: string, nullIfNotFound: boolean): Promise<JsonValue> {
    const { provider, apiVersion } = node;
    return await this.#read({ id, apiVersion, provider, nullIfNotFound });
  }

  target(provider: ProviderKind, id: string): DeploymentTarget {
    const target = this.#deps.tree.host.targets[provider];
    if (target === undefined) {
      throw new ApiError("InvalidTemplateDeployment", `'${id}' belongs to ${provider}, which is not available here.`);
    }
    return target;
  }

  async #answer(call: PendingCall, self: PlanNode | undefined): Promise<JsonValue> {
    const node = this.nodeWithId(call.id);
    // `target()` asks for the resource as it was before, and gets the same answer whenever it asks.
    const isOwn = node !== undefined && node.key === self?.key;
    if (node !== undefined && !isOwn && this.#deps.isDone(node.key)) {
      if (call.kind === "read") {
        const body = await this.readNode(node, call.id, call.nullIfNotFound);
        this.#deps.bodies.offer(node.key, body);
        return body;
      }
      if (node.kind === "deployment" && call.action.toLowerCase() === secureOutputsAction) {
        return await this.#secureOutputs(node.id);
      }
    }
    return await this.#once(isOwn ? `${node.key}/${call.key}` : call.key, call);
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
    const { tree, records } = this.#deps;
    if (this.#answered.has(key) || records.known(key)?.state === "Succeeded") {
      const answer = (await tree.host.store.secrets(records.id(key)))[sealedResult];
      if (answer !== undefined) {
        this.#hideAnswer(call, answer);
        return answer;
      }
    }
    const startedAt = tree.host.clock.now();
    const type = ResourceId.tryParse(call.id)?.type ?? "";
    const permission = call.kind === "read" ? "read" : `${call.action}/action`;
    tree.host.authorize(tree.requester.caller, `${type}/${permission}`, call.id);
    const answer = call.kind === "read" ? await this.#read(call) : await this.#act(call);
    this.#hideAnswer(call, answer);
    const subject: RecordSubject = {
      key,
      operation: call.kind === "read" ? "Read" : "Action",
      id: call.id,
      type,
      name: ResourceId.tryParse(call.id)?.qualifiedName ?? "",
      symbolicName: undefined,
    };
    const progress = { state: "Succeeded", startedAt, statusCode: "OK" } as const;
    tree.hasLeftovers = true;
    await tree.write({ document: records.put(subject, progress, answer) });
    this.#answered.add(key);
    return answer;
  }

  async #read(read: Pick<PendingRead, "id" | "apiVersion" | "provider" | "nullIfNotFound">): Promise<JsonValue> {
    const { tree } = this.#deps;
    const { id, apiVersion, provider } = read;
    const body =
      provider === "deployments"
        ? (await tree.host.store.get(id))?.body
        : await this.target(provider, id).read({ requester: tree.requester, id, apiVersion, signal: tree.abandon });
    if (body === undefined && !read.nullIfNotFound) {
      throw new ApiError("NotFound", `The resource '${id}' was not found.`, { target: id });
    }
    return body ?? null;
  }

  async #act({ id, apiVersion, provider, action, body, args }: PendingAction): Promise<JsonValue> {
    const { tree } = this.#deps;
    if (provider === "deployments") {
      const message = `Only the deployment around it can read secure outputs of '${id}', once it has succeeded.`;
      throw new ApiError("Forbidden", message, { target: id });
    }
    const order = { requester: tree.requester, id, apiVersion, signal: tree.abandon, action, body, args };
    return await this.target(provider, id).act(order);
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

function asResult(body: JsonValue | undefined): { readonly body: JsonValue } | undefined {
  return body === undefined ? undefined : { body };
}
