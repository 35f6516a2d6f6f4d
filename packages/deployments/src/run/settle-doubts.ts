import { ApiError, type ErrorDetail } from "@rad/core";
import { OperationStopped } from "@rad/operations";
import { StoreError } from "@rad/store";
import type { PlanNode } from "@rad/templates";
import { pathWithin, templateViolation } from "../prepare-plan.ts";
import { isUnsettled } from "../records/node-record.ts";
import { isUnknownEffect, unknownEffect } from "../unknown-effect.ts";
import { bounded, failureDetail, ResourceFailed, statusName } from "./failure-details.ts";
import type { LeafWork } from "./leaf-work.ts";
import { NodeAnswers } from "./node-answers.ts";
import { NodeBodies } from "./node-bodies.ts";
import { nodeSubject } from "./node-subject.ts";
import { resumeNested } from "./open-nested.ts";
import type { OpenedDeployment } from "./opened-deployment.ts";
import type { TreeContext } from "./tree-context.ts";
import { isAway } from "./until-answered.ts";
import { ResourceWrite } from "./write-resource.ts";

/** How long nobody has to answer before the deployment ends without knowing. */
const patienceMs = 5_000;
const firstPauseMs = 100;

/**
 * Finds out what became of resources that were sent to targets outside of the store when a deployment has to end, be it
 * cancelled or out of time: they are sent once more under the same key, and what comes of that is recorded. As for
 * everything else that was in progress when the deployment was told to stop, that may bring a resource into being.
 * @returns what remains unknown, because its target is away; the records say so as well.
 */
export async function settleDoubts(tree: TreeContext, deployment: OpenedDeployment): Promise<ErrorDetail[]> {
  tree.end();
  const settling = new Settling(tree);
  await settling.visit(deployment);
  return settling.unknown;
}

class Settling {
  readonly unknown: ErrorDetail[] = [];
  readonly #tree: TreeContext;
  #answeredAt = performance.now();

  constructor(tree: TreeContext) {
    this.#tree = tree;
  }

  async visit(deployment: OpenedDeployment): Promise<void> {
    const { plan, records } = deployment;
    const { slot } = this.#tree;
    const isDone = (key: string): boolean => records.known(key)?.state === "Succeeded";
    const answers = new NodeAnswers({ tree: this.#tree, deployment, bodies: new NodeBodies(plan, new Set()), isDone });
    const running = [...plan.nodes.values()].filter((node) => records.known(node.key)?.state === "Running");
    await slot.waiting(() =>
      Promise.all(running.map((node) => slot.part(() => this.#visitNode(node, deployment, answers)))),
    );
  }

  async #visitNode(node: PlanNode, deployment: OpenedDeployment, answers: NodeAnswers): Promise<void> {
    const known = deployment.records.known(node.key);
    if (node.kind === "deployment") {
      await this.visit(await resumeNested(this.#tree, deployment, node));
    } else if (node.kind !== "barrier" && known !== undefined && isUnsettled(known)) {
      const startedAt = this.#tree.host.clock.now();
      const work = { tree: this.#tree, deployment, answers, node, startedAt };
      await this.#tree.limited(() => this.#settle(work));
    }
  }

  async #settle(work: LeafWork): Promise<void> {
    const { host, slot, abandon } = this.#tree;
    for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
      const signal = AbortSignal.any([abandon, AbortSignal.timeout(patienceMs)]);
      try {
        await new ResourceWrite(work).settle(signal);
        this.#answeredAt = performance.now();
        return;
      } catch (error) {
        if (abandon.aborted || error instanceof StoreError) {
          throw error;
        }
        const hasAnswered = !isAway(error) && !signal.aborted && !(error instanceof OperationStopped);
        if (hasAnswered || performance.now() - this.#answeredAt > patienceMs) {
          await this.#fail(work, error, hasAnswered);
          return;
        }
      }
      await slot.waiting(() => host.clock.sleep(pauseMs, abandon));
    }
  }

  /** What was refused is known not to be there. */
  async #fail({ node, deployment, answers, startedAt }: LeafWork, error: unknown, hasAnswered: boolean): Promise<void> {
    const { origin, records } = deployment;
    const isRefused = hasAnswered && (error instanceof ApiError || error instanceof ResourceFailed);
    const said = isRefused ? error : unknownEffect(hasAnswered ? "Internal" : "ServiceUnavailable", error);
    const id = answers.idOf(node);
    const violation = templateViolation(pathWithin(node.path, origin));
    const failed = failureDetail(said, { id, key: node.key, violation, origin });
    const [detail = failed] = bounded([this.#tree.redactor.redactError(failed)]);
    const progress = { state: "Failed", startedAt, statusCode: statusName(said), error: detail } as const;
    await this.#tree.write({ document: records.put(nodeSubject(node, id), progress) });
    if (isUnknownEffect(said)) {
      this.#tree.log.warn("a deployment ends without knowing whether a resource was made", { node: node.key, error });
      this.unknown.push(detail);
    } else {
      this.#answeredAt = performance.now();
    }
  }
}
