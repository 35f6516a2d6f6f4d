import { ApiError, type ErrorDetail, inSlices, type JsonObject, type JsonValue } from "@rad/core";
import { OperationStopped } from "@rad/operations";
import { type DeploymentNode, evaluateNode, evaluateOutputs, type Outputs, type Plan, sliced } from "@rad/templates";
import { withProperties } from "../deployment-document.ts";
import { pathWithin, planErrorDetail, templateViolation } from "../prepare-plan.ts";
import { errorToJson, type KnownRecord, type RecordSubject } from "../records/node-record.ts";
import type { TargetNode } from "../target-order.ts";
import { isUnknownEffect } from "../unknown-effect.ts";
import {
  bounded,
  deploymentFailed,
  EvaluationFailed,
  failureDetail,
  resourceFailure,
  statusName,
} from "./failure-details.ts";
import { NodeAnswers } from "./node-answers.ts";
import { NodeBodies } from "./node-bodies.ts";
import { createNested, resumeNested } from "./open-nested.ts";
import {
  type DeploymentResult,
  endedNested,
  endProperties,
  isListed,
  type OpenedDeployment,
  outputResourceList,
  outputResourcesIn,
  outputsToJson,
  secureValues,
} from "./opened-deployment.ts";
import type { LeafNode } from "./leaf-work.ts";
import { nodeSubject } from "./node-subject.ts";
import { readResource } from "./read-resource.ts";
import type { TreeContext } from "./tree-context.ts";
import { type NodeOutcome, walkGraph } from "./walk-graph.ts";
import { ResourceWrite } from "./write-resource.ts";

/**
 * One deployment of a tree, from its first node to its outputs. What earlier attempts have finished is taken over from
 * the records; each node's record is written together with its effect, so that this holds at any instant.
 */
export class DeploymentRun {
  readonly #tree: TreeContext;
  readonly #deployment: OpenedDeployment;
  readonly #bodies: NodeBodies;
  readonly #answers: NodeAnswers;
  readonly #done = new Set<string>();
  readonly #failures = new Map<string, ErrorDetail>();
  readonly #outputResources: string[] = [];

  static async begin(tree: TreeContext, deployment: OpenedDeployment): Promise<DeploymentRun> {
    const { plan } = deployment;
    return new DeploymentRun(tree, deployment, new NodeBodies(plan, await readByOutputs(plan)));
  }

  private constructor(tree: TreeContext, deployment: OpenedDeployment, bodies: NodeBodies) {
    this.#tree = tree;
    this.#deployment = deployment;
    this.#bodies = bodies;
    const isDone = (key: string): boolean => this.#done.has(key);
    this.#answers = new NodeAnswers({ tree, deployment, bodies: this.#bodies, isDone });
  }

  /** @throws ApiError `DeploymentFailed`, `DeploymentOutputEvaluationFailed`; the reason when it is told to stop. */
  async run(): Promise<DeploymentResult> {
    const { plan, id } = this.#deployment;
    const { stop, abandon, host, slot } = this.#tree;
    await this.#takeOverOutputResources();
    const visit = (key: string): NodeOutcome | Promise<NodeOutcome> => this.#visit(key);
    const walk = { nodes: plan.nodes, limit: host.concurrency, visit, stop, abandon };
    await slot.waiting(() => walkGraph(walk));
    stop.throwIfAborted();
    if (this.#failures.size > 0) {
      const inOrder = [...plan.nodes.keys()].flatMap((key) => this.#failures.get(key) ?? []);
      throw deploymentFailed(id, inOrder, this.#outputResources);
    }
    return { outputs: await this.#outputs(), outputResources: this.#outputResources };
  }

  #visit(key: string): NodeOutcome | Promise<NodeOutcome> {
    const node = this.#deployment.plan.nodes.get(key);
    if (node === undefined || node.kind === "barrier" || node.skipped !== undefined) {
      return this.#settled(key);
    }
    const known = this.#deployment.records.known(key);
    if (known?.state === "Succeeded") {
      return this.#settled(key);
    }
    if (known?.state === "Failed") {
      return this.#failed(node, known.error ?? { code: "Internal", message: "It failed." });
    }
    return this.#tree.slot.part(() => this.#work(node, known));
  }

  async #work(node: TargetNode, known: KnownRecord | undefined): Promise<NodeOutcome> {
    const startedAt = this.#tree.host.clock.now();
    try {
      return node.kind === "deployment"
        ? await this.#deploy(node, known, startedAt)
        : await this.#tree.limited(() => this.#send(node, startedAt));
    } catch (error) {
      if (this.#tree.endsAttempt(error)) {
        throw error;
      }
      if (error instanceof OperationStopped) {
        return "failed"; // cancelled before it got its turn, or while it waited
      }
      const detail = this.#describe(error, node);
      const progress = { state: "Failed", startedAt, statusCode: statusName(error), error: detail } as const;
      const subject = nodeSubject(node, this.#answers.idOf(node));
      await this.#tree.write({ document: this.#deployment.records.put(subject, progress) });
      return this.#failed(node, detail);
    }
  }

  async #send(node: LeafNode, startedAt: Date): Promise<NodeOutcome> {
    this.#tree.stop.throwIfAborted();
    const work = { tree: this.#tree, deployment: this.#deployment, answers: this.#answers, node, startedAt };
    if (node.kind === "existing") {
      return this.#settled(node.key, await readResource(work));
    }
    const { id, body } = await new ResourceWrite(work).run();
    if (isListed(id)) {
      this.#outputResources.push(id);
    }
    return this.#settled(node.key, body);
  }

  async #deploy(node: DeploymentNode, known: KnownRecord | undefined, startedAt: Date): Promise<NodeOutcome> {
    const tree = this.#tree;
    const subject = nodeSubject(node, node.id);
    const nested =
      known?.state === "Running"
        ? await resumeNested(tree, this.#deployment, node)
        : await this.#createNested(node, subject, startedAt);
    const end = await this.#runNested(nested);
    const { operation } = tree;
    const document = endedNested(nested, { ...end, operationId: operation.id });
    const detail = end.error && tree.redactor.redactError(resourceFailure(node.id, end.error, [this.#violation(node)]));
    const record = this.#deployment.records.put(subject, {
      state: detail === undefined ? "Succeeded" : "Failed",
      startedAt,
      statusCode: detail === undefined ? "OK" : "Conflict",
      ...(detail === undefined ? {} : { error: detail }),
    });
    await tree.write({ document, also: [record] });
    for (const id of end.outputResources) {
      this.#outputResources.push(id);
    }
    if (detail !== undefined) {
      return this.#failed(node, detail);
    }
    return this.#settled(node.key, withProperties(nested.body, end.properties));
  }

  async #createNested(node: DeploymentNode, subject: RecordSubject, startedAt: Date): Promise<OpenedDeployment> {
    const { plan, records } = this.#deployment;
    const request = await this.#tree.limited(async () => {
      this.#tree.stop.throwIfAborted();
      return await this.#answers.evaluate(node, (results) => evaluateNode(plan, node.key, results));
    });
    if (request.kind !== "deploy") {
      throw new TypeError(`The node "${node.key}" is no deployment.`);
    }
    const begun = { state: "Running", startedAt, statusCode: "Accepted" } as const;
    return await createNested(this.#tree, this.#deployment, node, request, () => records.put(subject, begun));
  }

  /** Either way of ending is the parent's business; what stops the whole tree is not, and rises. */
  async #runNested(nested: OpenedDeployment): Promise<{
    readonly properties: JsonObject;
    readonly secureOutputs: JsonObject;
    readonly outputResources: readonly string[];
    readonly error: ErrorDetail | undefined;
  }> {
    const tree = this.#tree;
    const run = await DeploymentRun.begin(tree, nested);
    const end = (state: "Succeeded" | "Failed", more: JsonObject): JsonObject =>
      endProperties(state, tree.host.clock.now(), nested.startedAt, more);
    try {
      const { outputs, outputResources } = await run.run();
      const secureOutputs = secureValues(outputs);
      tree.hideTextsIn(secureOutputs);
      const shown = { outputs: outputsToJson(outputs), outputResources: outputResourceList(outputResources) };
      return { properties: end("Succeeded", shown), secureOutputs, outputResources, error: undefined };
    } catch (error) {
      if (!(error instanceof ApiError) || tree.endsAttempt(error)) {
        throw error;
      }
      const detail = tree.redactor.redactError(error.toDetail());
      const outputResources = run.#outputResources;
      const shown = { outputResources: outputResourceList(outputResources), error: errorToJson(detail) };
      return { properties: end("Failed", shown), secureOutputs: {}, outputResources, error: detail };
    }
  }

  async #outputs(): Promise<Outputs> {
    const { plan, id, records, origin, input } = this.#deployment;
    const startedAt = this.#tree.host.clock.now();
    try {
      return await this.#tree.limited(() =>
        this.#answers.evaluate(undefined, (results) => evaluateOutputs(plan, results)),
      );
    } catch (error) {
      if (this.#tree.endsAttempt(error) || error instanceof OperationStopped) {
        throw error;
      }
      const details =
        error instanceof EvaluationFailed
          ? error.failure.errors.map((one) => planErrorDetail(one, origin))
          : [
              failureDetail(error, {
                id,
                key: input.name,
                violation: templateViolation(pathWithin("$.outputs", origin)),
                origin,
              }),
            ];
      const message = `The outputs of the deployment cannot be evaluated: ${details[0]?.message ?? ""}`;
      const isTooLarge = error instanceof EvaluationFailed && error.failure.errors[0]?.reason === "SizeExceeded";
      const failed = new ApiError(isTooLarge ? "DeploymentSizeExceeded" : "DeploymentOutputEvaluationFailed", message, {
        target: id,
        details: bounded(details),
        additionalInfo: details[0]?.additionalInfo ?? [],
      });
      const detail = this.#tree.redactor.redactError(failed.toDetail());
      const subject: RecordSubject = {
        key: "outputs",
        operation: "EvaluateDeploymentOutput",
        id,
        type: "Microsoft.Resources/deployments",
        name: input.name,
        symbolicName: undefined,
      };
      const progress = { state: "Failed", startedAt, statusCode: "BadRequest", error: detail } as const;
      await this.#tree.write({ document: records.put(subject, progress) });
      throw failed;
    }
  }

  #settled(key: string, body?: JsonValue): NodeOutcome {
    this.#done.add(key);
    if (body !== undefined) {
      this.#bodies.offer(key, body);
    }
    this.#bodies.settled(key);
    return "done";
  }

  #failed(node: TargetNode, detail: ErrorDetail): NodeOutcome {
    this.#failures.set(node.key, detail);
    this.#bodies.settled(node.key);
    return "failed";
  }

  #describe(error: unknown, node: TargetNode): ErrorDetail {
    const { origin } = this.#deployment;
    const { id, key } = node;
    const detail = failureDetail(error, { id, key, violation: this.#violation(node), origin });
    if (detail.code === "Internal" && (!(error instanceof ApiError) || isUnknownEffect(error))) {
      this.#tree.log.error("a resource of a deployment failed unexpectedly", { resource: id ?? key, error });
    }
    const [short = detail] = bounded([this.#tree.redactor.redactError(detail)]);
    return short;
  }

  #violation({ path }: TargetNode) {
    return templateViolation(pathWithin(path, this.#deployment.origin));
  }

  /** In the order in which earlier attempts finished them. */
  async #takeOverOutputResources(): Promise<void> {
    const { plan, records } = this.#deployment;
    const finished: { readonly node: TargetNode; readonly known: KnownRecord }[] = [];
    for (const node of plan.nodes.values()) {
      const known = node.kind === "barrier" || node.kind === "existing" ? undefined : records.known(node.key);
      // A nested deployment that failed has made something too, perhaps.
      const counts = known?.state === "Succeeded" || (known?.state === "Failed" && node.kind === "deployment");
      if (node.kind !== "barrier" && known !== undefined && counts) {
        finished.push({ node, known });
      }
    }
    finished.sort((a, b) => (a.known.timestamp < b.known.timestamp ? -1 : 1));
    for (const { node, known } of finished) {
      if (node.kind === "deployment") {
        for (const id of outputResourcesIn((await this.#tree.host.store.get(node.id))?.body)) {
          this.#outputResources.push(id);
        }
      } else if (known.id !== undefined && isListed(known.id)) {
        this.#outputResources.push(known.id);
      }
    }
  }
}

/** Nodes that an output refers to, found by evaluating the outputs with nothing at hand. */
async function readByOutputs(plan: Plan): Promise<ReadonlySet<string>> {
  if (plan.outputs.length === 0) {
    return new Set();
  }
  const keys = new Set<string>();
  const note = (key: string): undefined => void keys.add(key);
  await inSlices(sliced(evaluateOutputs(plan, { node: note, call: () => undefined })));
  return keys;
}
