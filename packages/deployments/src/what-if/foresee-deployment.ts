import { ApiError, type ErrorDetail, type JsonObject, type JsonValue, mainThread } from "@rad/core";
import {
  evaluateNode,
  evaluateOutputs,
  type DeploymentNode,
  type DeployRequest,
  type ExistingNode,
  type ExtensionNode,
  type Plan,
  type PlanNode,
  type PutRequest,
  type ReadRequest,
  type ResourceNode,
} from "@rad/templates";
import type { DeploymentInput, InputOrigin } from "../deployment-input.ts";
import { jsonLength } from "../json-length.ts";
import { hasUnknownLink, nestedInput, nestedOrigin } from "../nested-input.ts";
import { permissionPlace } from "../node-permission.ts";
import { invalidTemplate, pathWithin, templateViolation, type FixedValues } from "../prepare-plan.ts";
import { nodeOrder, type TargetNode } from "../target-order.ts";
import { evaluateAhead } from "./evaluate-ahead.ts";
import { expectedNodes, placeOf } from "./expected-nodes.ts";
import { foreseePut, type PutOutcome } from "./foresee-put.ts";
import { withUnknownOuterTexts } from "../outer-texts.ts";
import { inOrder } from "./node-order.ts";
import { withNestedHidden } from "./hidden-values.ts";
import type { Outlook } from "./outlook.ts";
import {
  comingDeployment,
  expectedDeployment,
  expectedOutputs,
  expectedSecureOutputs,
  partialBody,
  withoutSecureOutputs,
} from "./partial-body.ts";
import { planAhead, type OpenQuestions } from "./plan-ahead.ts";
import type { StandIn } from "./template-draft.ts";
import { unknownPointers } from "./unknown-values.ts";

/** A deployment that has a plan. */
export interface PlannedDeployment {
  readonly id: string;
  readonly plan: Plan;
  readonly input: DeploymentInput;
  readonly origin: InputOrigin;
  readonly fixed: FixedValues;
  readonly open: OpenQuestions;
  /** Expressions may fail in it only because something that they need is not known yet. */
  readonly isVague: boolean;
}

/** What is going to become of one resource. Deployments are here only when it cannot be told what is in them. */
export interface Foreseen {
  readonly node: TargetNode;
  readonly deploymentId: string;
  readonly outcome: Outcome;
  /** JSON pointers of what is not known in the body that is sent. */
  readonly unknown: readonly string[];
}

export type Outcome = PutOutcome | { readonly kind: "unsupported"; readonly reason: string } | FailedOutcome;

export interface FailedOutcome {
  readonly kind: "failed";
  readonly error: ErrorDetail;
  /** Who says so: its target, of the body that is sent, or the template before there is one. */
  readonly saidBy: "target" | "template";
  /** Otherwise it fails only if a condition turns out to be true. */
  readonly isCertain: boolean;
}

export interface ForeseenDeployment {
  /** In the order of the template, with what is nested in its place. */
  readonly resources: readonly Foreseen[];
  readonly hasFailed: boolean;
  /** Why it would fail although all its resources are fine. */
  readonly outputError: ErrorDetail | undefined;
}

/** Goes through a deployment as a run would, with everything nested in it, and changes nothing. */
export async function foreseeDeployment(outlook: Outlook, deployment: PlannedDeployment): Promise<ForeseenDeployment> {
  outlook.takeRoom(deployment.plan.nodes.size);
  outlook.hide([...deployment.plan.secrets]);
  if (Object.values(deployment.plan.parameters).some(({ secure }) => secure)) {
    outlook.noteSecrets();
  }
  const walk = new Walk(outlook, deployment);
  await walk.run();
  const { resources } = walk;
  if (walk.hasFailed) {
    return { resources, hasFailed: true, outputError: undefined };
  }
  const outputError = await orRefusal(() => foreseeOutputs(outlook, deployment));
  outlook.checkLimits();
  return { resources, hasFailed: outputError !== undefined, outputError };
}

const valueNotKnown = "It depends on a value that is known only after other resources are deployed.";
const tooMuch = "The deployment has so many resources that this module is not looked into before it runs.";
const identityNotKnown =
  "What it is called, or how many there are of it, depends on a value that is known only after other resources are deployed.";

/** What the world refuses is foreseen; what keeps us from looking is not, unless there may be no need to look. */
async function orRefusal(
  look: () => Promise<ErrorDetail | undefined>,
  isNeeded = true,
): Promise<ErrorDetail | undefined> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || (error.code === "Forbidden" && isNeeded)) {
      throw error;
    }
    return error.toDetail();
  }
}

class Walk {
  readonly #outlook: Outlook;
  readonly #deployment: PlannedDeployment;
  /** By the key of the node. */
  readonly #foreseen = new Map<string, readonly Foreseen[]>();
  /** Nodes that fail, or wait for one that does. */
  readonly #failed = new Set<string>();

  constructor(outlook: Outlook, deployment: PlannedDeployment) {
    this.#outlook = outlook;
    this.#deployment = deployment;
  }

  get hasFailed(): boolean {
    return this.#failed.size > 0;
  }

  get resources(): Foreseen[] {
    return [...this.#deployment.plan.nodes.keys()].flatMap((key) => this.#foreseen.get(key) ?? []);
  }

  async run(): Promise<void> {
    for (const node of inOrder(this.#deployment.plan)) {
      this.#outlook.deps.signal.throwIfAborted();
      this.#outlook.checkLimits();
      const turn = mainThread.giveWay();
      if (turn !== undefined) {
        await turn;
      }
      await this.#visit(node);
      const [own] = node.kind === "deployment" ? [] : (this.#foreseen.get(node.key) ?? []);
      if (own !== undefined) {
        this.#outlook.takeAnswer(lengthToTell(own));
      }
    }
    this.#outlook.checkLimits();
  }

  async #visit(node: PlanNode): Promise<void> {
    const failed = node.dependsOn.find((key) => this.#failed.has(key));
    const standIn = node.kind === "existing" ? this.#deployment.open.standIns.get(node.path) : undefined;
    if (node.kind === "existing" && standIn !== undefined && node.skipped !== "condition") {
      this.#noteStandIn(node, standIn);
      return;
    }
    if (node.kind === "barrier" || node.skipped !== undefined) {
      if (failed !== undefined) {
        this.#failed.add(node.key);
      }
      return;
    }
    if (failed !== undefined) {
      this.#failed.add(node.key);
      this.#note(node, { kind: "unsupported", reason: `"${failed}", which it depends on, would fail.` });
      return;
    }
    const refusal = await orRefusal(() => this.#foresee(node), this.#isNeeded(node));
    if (refusal !== undefined) {
      this.#fail(node, refusal, "template");
    }
    if (!this.#isNeeded(node)) {
      this.#doubt(node);
    }
  }

  /** Otherwise it is deployed only if a condition turns out to be true. */
  #isNeeded({ path }: TargetNode): boolean {
    return !this.#deployment.open.assumed.has(path);
  }

  /** Gives what is wrong with the node itself. */
  async #foresee(node: TargetNode): Promise<ErrorDetail | undefined> {
    const { plan, origin } = this.#deployment;
    const evaluation = await evaluateAhead(
      this.#outlook,
      expectedNodes(this.#outlook, plan, this.#deployment.id),
      (results, options) => evaluateNode(plan, node.key, results, options),
    );
    if (evaluation.kind === "failed" && !this.#deployment.isVague) {
      return invalidTemplate(evaluation, origin).toDetail();
    }
    if (evaluation.kind !== "ready") {
      this.#noteUnknown(node);
      return undefined;
    }
    const { value: request, unknown } = evaluation;
    if (request.kind === "deploy" && node.kind === "deployment") {
      await this.#foreseeNested(node, request, unknown);
    } else if (request.kind === "read" && node.kind === "existing") {
      await this.#foreseeExisting(node, request);
    } else if (request.kind === "put" && (node.kind === "resource" || node.kind === "extension")) {
      await this.#foreseeResource(node, request, unknown.length === 0);
    }
    return undefined;
  }

  async #foreseeResource(node: ResourceNode | ExtensionNode, request: PutRequest, isKnown: boolean): Promise<void> {
    const { host, requester } = this.#outlook.deps;
    const target = host.targets[node.provider];
    if (target === undefined) {
      this.#note(node, { kind: "unsupported", reason: notAvailable(node) });
      return;
    }
    const permittedAt = permissionPlace(node, this.#deployment.input);
    host.authorize(requester.caller, `${node.type}/write`, permittedAt);
    host.authorize(requester.caller, `${node.type}/read`, permittedAt);
    const place = placeOf(node, this.#deployment.id);
    const refusal = await orRefusal(async () => {
      const outcome = await foreseePut(this.#outlook, { node, place, permittedAt, request, isKnown, target });
      this.#note(node, outcome, isKnown ? [] : unknownPointers(request.body));
      return undefined;
    }, this.#isNeeded(node));
    if (refusal !== undefined) {
      this.#fail(node, refusal, "target");
    }
  }

  async #foreseeExisting(node: ExistingNode, { body }: ReadRequest): Promise<void> {
    const { id, apiVersion, provider } = node;
    if (provider !== "deployments" && this.#outlook.deps.host.targets[provider] === undefined) {
      this.#note(node, { kind: "unsupported", reason: notAvailable(node) });
      return;
    }
    const nullIfNotFound = node.options.nullIfNotFound === true;
    if (id === undefined) {
      await this.#foreseeFound(node, body, nullIfNotFound);
      return;
    }
    const key = `existing:${id.toLowerCase()}:${apiVersion}:${nullIfNotFound}`;
    await this.#outlook.ask([{ kind: "read", key, id, apiVersion, provider, nullIfNotFound }]);
    const found = this.#outlook.answerTo(key);
    const isLeftAlone = found !== undefined && found.open === undefined;
    if (isLeftAlone && found.body !== null) {
      this.#note(node, { kind: "left" });
    }
  }

  /** A resource that its provider finds by its properties. */
  async #foreseeFound(node: ExistingNode, body: JsonObject, nullIfNotFound: boolean): Promise<void> {
    const order = { ...nodeOrder(node, undefined, this.#outlook.deps), body };
    const permittedAt = permissionPlace(node, this.#deployment.input);
    const found = await this.#outlook.current(node.provider, order, permittedAt);
    if (found === undefined && !nullIfNotFound) {
      throw new ApiError("NotFound", `The resource "${node.key}" does not exist.`, { target: node.key });
    }
    this.#outlook.expectChange(placeOf(node, this.#deployment.id), { body: found ?? null });
    if (found !== undefined) {
      this.#note(node, { kind: "left" });
    }
  }

  async #foreseeNested(node: DeploymentNode, request: DeployRequest, unknown: readonly string[]): Promise<void> {
    const { host, requester } = this.#outlook.deps;
    host.authorize(requester.caller, `${node.type}/write`, node.id);
    this.#outlook.expectChange(node.id, comingDeployment(node.id, request.name));
    if (hasUnknownLink(node, unknown) || !this.#outlook.hasRoom) {
      this.#noteUnknown(node, this.#outlook.hasRoom ? valueNotKnown : tooMuch);
      return;
    }
    const origin = nestedOrigin(node, this.#deployment.origin);
    const complete = await this.#outlook.linked.follow(request, origin);
    const known = nestedInput(this.#deployment.input, complete, origin);
    const input = withUnknownOuterTexts(known, `${node.path}.properties.template`, unknown);
    // What it gets for its extensions is nothing but the text of an expression where it is not known.
    const isVague = unknown.some((path) => path.startsWith(`${node.path}.properties.extensionConfigs`));
    const planned = await planAhead(host, input, {
      now: this.#deployment.fixed.now,
      budget: this.#outlook.deps.budget,
      withSecrets: this.#outlook.sighted === undefined,
    });
    if (planned.kind === "unknown" || (planned.kind === "failed" && isVague)) {
      this.#noteUnknown(node);
      return;
    }
    if (planned.kind === "failed") {
      this.#failed.add(node.key);
      this.#note(node, failed(invalidTemplate(planned, origin).toDetail(), "template"));
      return;
    }
    const nested = await foreseeDeployment(this.#outlook, {
      ...planned,
      id: node.id,
      input,
      origin,
      isVague: isVague || planned.open.standIns.size > 0,
    });
    const { outputError } = nested;
    const own = outputError === undefined ? [] : [this.#entry(node, failed(outputError, "template"))];
    this.#foreseen.set(node.key, [...nested.resources, ...own]);
    if (nested.hasFailed) {
      this.#failed.add(node.key);
    }
  }

  #fail(node: TargetNode, error: ErrorDetail, saidBy: FailedOutcome["saidBy"]): void {
    const path = pathWithin(node.path, this.#deployment.origin);
    const additionalInfo = error.additionalInfo ?? [templateViolation(path)];
    this.#failed.add(node.key);
    this.#note(node, failed({ ...error, target: node.id ?? node.key, additionalInfo }, saidBy));
  }

  /** Whether the node is deployed at all is not known: what was said of it, and of all in it, holds only perhaps. */
  #doubt(node: TargetNode): void {
    this.#failed.delete(node.key);
    const doubted = (this.#foreseen.get(node.key) ?? []).map((foreseen) => ({
      ...foreseen,
      outcome: ifDeployed(foreseen.outcome),
    }));
    this.#foreseen.set(node.key, doubted);
    const touched = doubted.filter(({ outcome }) => outcome.kind !== "none" && outcome.kind !== "left");
    const places = touched.filter((foreseen) => foreseen.node.kind !== "existing");
    const modules = node.kind === "deployment" ? [node.id] : [];
    for (const place of [...places.map((foreseen) => placeOf(foreseen.node, foreseen.deploymentId)), ...modules]) {
      this.#outlook.expectChange(place, partialBody({}));
    }
  }

  #noteStandIn(node: ExistingNode, { name, existing }: StandIn): void {
    if (node.id !== undefined) {
      this.#outlook.expectChange(node.id, partialBody({}));
    }
    if (!existing) {
      const scope = node.id?.slice(0, node.id.lastIndexOf("/providers/"));
      const id = scope === undefined ? undefined : `${scope}/providers/${node.type}/${name}`;
      this.#note({ ...node, id, name }, { kind: "unsupported", reason: identityNotKnown });
    }
  }

  #noteUnknown(node: TargetNode, reason = valueNotKnown): void {
    if (node.kind !== "existing") {
      this.#outlook.expectChange(placeOf(node, this.#deployment.id), partialBody({}));
    }
    this.#note(node, { kind: "unsupported", reason });
  }

  #note(node: TargetNode, outcome: Outcome, unknown: readonly string[] = []): void {
    const shown = this.#outlook.deps.showsBodies ? outcome : withoutBodies(outcome);
    this.#foreseen.set(node.key, [this.#entry(node, shown, unknown)]);
  }

  #entry(node: TargetNode, outcome: Outcome, unknown: readonly string[] = []): Foreseen {
    return { node, deploymentId: this.#deployment.id, outcome, unknown };
  }
}

/** The names of members, and what kind of change it is. */
const lengthBesideIds = 100;

function lengthToTell({ outcome, node, deploymentId }: Foreseen): number {
  const besideBodies = lengthBesideIds + (node.id ?? node.key).length + deploymentId.length;
  const preview = "preview" in outcome ? outcome.preview : undefined;
  if (preview === undefined) {
    return besideBodies;
  }
  const nested = preview.nested ?? [];
  const bodies = [preview, ...nested].reduce(
    (sum, { before, after }) => sum + jsonLength(before) + jsonLength(after),
    0,
  );
  // What differs is told once more.
  return besideBodies + (outcome.kind === "modify" || outcome.kind === "possible" ? 2 * bodies : bodies);
}

/** All that is left of a resource when only its id is told. */
function withoutBodies(outcome: Outcome): Outcome {
  if (!("preview" in outcome) || outcome.preview === undefined) {
    return outcome;
  }
  const preview = { ...outcome.preview, before: outcome.preview.before && {}, after: {}, changedSecrets: [] };
  return { ...outcome, preview: withNestedHidden(preview) };
}

function failed(error: ErrorDetail, saidBy: FailedOutcome["saidBy"]): FailedOutcome {
  return { kind: "failed", error, saidBy, isCertain: true };
}

function ifDeployed(outcome: Outcome): Outcome {
  switch (outcome.kind) {
    case "create":
    case "modify":
      return { kind: "possible", change: outcome.kind, because: "condition", preview: outcome.preview };
    case "failed":
      return { ...outcome, isCertain: false };
    default:
      return outcome;
  }
}

/** Tells those who read the deployment what they can rely on; gives what is wrong with the outputs. */
async function foreseeOutputs(outlook: Outlook, deployment: PlannedDeployment): Promise<ErrorDetail | undefined> {
  const { plan, origin, id, input, isVague } = deployment;
  const outputs = await evaluateAhead(outlook, expectedNodes(outlook, plan, id), (results, options) =>
    evaluateOutputs(plan, results, options),
  );
  if (outputs.kind === "failed" && !isVague) {
    return invalidTemplate(outputs, origin).toDetail();
  }
  if (outputs.kind === "ready") {
    const told = expectedOutputs(plan, outputs.value, outputs.unknown);
    const secure = Object.values(told.known).filter((output) => output.secure);
    if (secure.length > 0) {
      outlook.hide(secure.map(({ value }): JsonValue => value ?? null));
      outlook.noteSecrets();
    }
    const expected = outlook.sighted === undefined ? told : withoutSecureOutputs(told);
    outlook.expectSecureOutputs(id, expectedSecureOutputs(expected));
    outlook.expectChange(id, expectedDeployment(id, input.name, expected));
  }
  return undefined;
}

function notAvailable({ type, extension, provider }: TargetNode): string {
  const what = extension === undefined ? provider : `the extension "${extension.name}"`;
  return `The type "${type}" needs ${what}, which is not available here.`;
}
