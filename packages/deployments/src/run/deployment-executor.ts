import { ApiError, type ErrorDetail, type JsonObject, objectMember } from "@rad/core";
import { callerFromJson } from "@rad/resources";
import type { Ending, OperationContext, OperationExecutor, Outcome } from "@rad/operations";
import type { DocumentPut, Operation, OperationOutcome, StoredDocument } from "@rad/store";
import {
  deploymentType,
  replaceBody,
  runFromJson,
  sealed,
  templateIn,
  textMember,
  withProperties,
} from "../deployment-document.ts";
import type { DeploymentHost } from "../deployment-host.ts";
import { fromStored, newBudget, preparePlan } from "../prepare-plan.ts";
import { errorToJson } from "../records/node-record.ts";
import { removeRecords } from "../records/operation-records.ts";
import { unknownEffect } from "../unknown-effect.ts";
import { DeploymentRun } from "./deployment-run.ts";
import { recordsOf } from "./open-nested.ts";
import { endProperties, type OpenedDeployment, outputResourceList, outputsToJson } from "./opened-deployment.ts";
import { settleDoubts } from "./settle-doubts.ts";
import { TreeContext } from "./tree-context.ts";
import { countFinished, endTree } from "./tree-end.ts";

/** Of the first lease that anybody takes on an operation. */
const firstFence = 1;

/** Attempts that a run has beyond one for each node; a run that gets nowhere ends. */
const spareAttempts = 10;

/**
 * Runs deployments. An outermost deployment is one operation, and everything nested in it runs within that operation:
 *
 *     Accepted ── begin ──→ Running ── all nodes done, outputs evaluated ──→ Succeeded
 *                              │ ──── a node or an output failed ──────────→ Failed     (after the rest has ended)
 *                              │ ──── cancelled, or out of time ───────────→ Canceled   (after what runs has ended)
 *                              └ ──── drained, or the process died ────────→ Running    (the next attempt goes on)
 *
 * `Running` is what its operation says: until it ends, the document of an outermost deployment is as it was accepted.
 */
export class DeploymentExecutor implements OperationExecutor {
  readonly #host: DeploymentHost;
  /** Of the attempts of this process. */
  readonly #trees = new WeakMap<Operation, TreeContext>();

  constructor(host: DeploymentHost) {
    this.#host = host;
  }

  async run(context: OperationContext): Promise<Outcome> {
    const { operation } = context;
    await this.#refuseEndlessAttempts(operation);
    const { tree, deployment, document } = await this.#open(context);
    this.#trees.set(operation, tree);
    const result = await (await DeploymentRun.begin(tree, deployment)).run();
    const now = this.#host.clock.now();
    const outcome = { state: "Succeeded", error: undefined, timestamp: now.toISOString() } as const;
    const { also } = tree.hasLeftovers
      ? await endTree(this.#host.store, deployment.id, operation.id, outcome)
      : { also: [] };
    const shown = {
      outputs: outputsToJson(result.outputs),
      outputResources: outputResourceList(result.outputResources),
    };
    const body = withProperties(deployment.body, endProperties("Succeeded", now, deployment.startedAt, shown));
    const input = {
      id: deployment.id,
      type: deploymentType,
      apiVersion: deployment.apiVersion,
      body,
      secrets: { [sealed.template]: deployment.template },
    };
    const put: DocumentPut = { kind: "put", input, expect: { etag: document.etag } };
    return { kind: "done", ending: { document: put, also } };
  }

  async conclude(operation: Operation, outcome: OperationOutcome, context: OperationContext): Promise<Ending> {
    const { store, clock } = this.#host;
    this.#trees.get(operation)?.leave();
    const document = await store.get(operation.resourceId);
    if (document === undefined || document.operationId !== operation.id) {
      return {};
    }
    const now = clock.now();
    const error =
      outcome.state === "Canceled" && outcome.error !== undefined
        ? { ...outcome.error, code: "DeploymentCanceled" }
        : outcome.error;
    const end = { state: outcome.state, error, timestamp: now.toISOString() };
    let ended = await endTree(store, document.id, operation.id, end);
    let details = error?.details ?? [];
    if (ended.hasDoubts) {
      details = [...details, ...(await this.#settle(context))];
      ended = await endTree(store, document.id, operation.id, end);
    }
    const { also, outputResources } = ended;
    const shown = {
      outputResources: outputResourceList(outputResources),
      ...(error === undefined ? {} : { error: errorToJson(details.length === 0 ? error : { ...error, details }) }),
    };
    const properties = endProperties(outcome.state, now, startOf(document), shown);
    return { document: await this.#ended(document, withProperties(document.body, properties)), also };
  }

  /** The deployment ends in any case. */
  async #settle(context: OperationContext): Promise<readonly ErrorDetail[]> {
    try {
      const { tree, deployment } = await this.#open(context);
      return await settleDoubts(tree, deployment);
    } catch (error) {
      if (error instanceof ApiError) {
        return [unknownEffect("Internal", error).toDetail()];
      }
      throw error;
    }
  }

  async #open(
    context: OperationContext,
  ): Promise<{ readonly tree: TreeContext; readonly deployment: OpenedDeployment; readonly document: StoredDocument }> {
    const { operation } = context;
    const { store } = this.#host;
    const document = await store.get(operation.resourceId);
    const accepted = this.#host.acceptedPlans.take(operation.id);
    const run = accepted?.run ?? runFromJson((await store.secrets(operation.resourceId))[sealed.run]);
    if (document === undefined || document.operationId !== operation.id || run === undefined) {
      const message = "The deployment was removed before it could run.";
      throw new ApiError("DeploymentNotFound", message, { target: operation.resourceId });
    }
    const budget = accepted?.budget ?? newBudget(this.#host);
    const tree = new TreeContext(this.#host, context, callerFromJson(run.caller), budget);
    const origin = { templatePath: run.templatePath };
    const options = { budget, fixed: fromStored(run), origin };
    const plan = accepted?.plan ?? (await preparePlan(this.#host, run.input, options)).plan;
    tree.hide(plan.secrets);
    const records = recordsOf(tree, document.id, document.apiVersion);
    // Another process may have begun with it, and left records.
    const isUntouched = accepted?.isNew === true && context.lease.fence === firstFence;
    if (!isUntouched) {
      await removeRecords(
        store,
        document.id,
        (record) => !records.note(record),
        (also) => context.write({ also }),
      );
    }
    tree.hasLeftovers = !records.isEmpty;
    if (!records.isEmpty) {
      await tree.startAfterRecords(document.id);
    }
    const { id, apiVersion } = document;
    const body = accepted?.body ?? document.body;
    const deployment: OpenedDeployment = {
      id,
      apiVersion,
      body,
      input: run.input,
      origin,
      plan,
      records,
      startedAt: new Date(run.now),
      parent: undefined,
      template: run.input.template,
    };
    return { tree, deployment, document };
  }

  async #ended(document: StoredDocument, body: JsonObject): Promise<DocumentPut> {
    const template = templateIn(await this.#host.store.secrets(document.id));
    const secrets: JsonObject = template === undefined ? {} : { [sealed.template]: template };
    return {
      kind: "put",
      input: replaceBody(document, body, { secrets, operationId: undefined }),
      expect: { etag: document.etag },
    };
  }

  async #refuseEndlessAttempts({ attempt, id, resourceId }: Operation): Promise<void> {
    if (attempt <= spareAttempts) {
      return;
    }
    const finished = await countFinished(this.#host.store, resourceId, id);
    if (attempt > spareAttempts + finished) {
      throw new ApiError(
        "Internal",
        `Gave up after ${attempt - 1} attempts that failed unexpectedly; the server's log has the causes.`,
      );
    }
  }
}

/** A deployment starts when it is accepted, and its body says so until it ends. */
function startOf({ body }: StoredDocument): Date {
  return new Date(textMember(objectMember(body, "properties"), "timestamp"));
}
