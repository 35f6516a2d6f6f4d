import type { Clock } from "@rad/core";
import type { Ending, OperationContext, OperationExecutor, Outcome } from "@rad/operations";
import type { Operation, OperationOutcome } from "@rad/store";
import { operationOutcome } from "@rad/resources";

/** Puts the outcome of every operation on record, in the transaction that ends it. */
export class AuditedExecutor implements OperationExecutor {
  readonly #executor: OperationExecutor;
  readonly #clock: Clock;

  constructor(executor: OperationExecutor, clock: Clock) {
    this.#executor = executor;
    this.#clock = clock;
  }

  async run(context: OperationContext): Promise<Outcome> {
    const outcome = await this.#executor.run(context);
    return outcome.kind === "done"
      ? { kind: "done", ending: this.#withOutcome(outcome.ending, context.operation, "Succeeded") }
      : outcome;
  }

  async conclude(operation: Operation, outcome: OperationOutcome, context: OperationContext): Promise<Ending> {
    return this.#withOutcome(await this.#executor.conclude(operation, outcome, context), operation, outcome.state);
  }

  #withOutcome(ending: Ending, operation: Operation, result: string): Ending {
    return { ...ending, audit: [...(ending.audit ?? []), operationOutcome(operation, result, this.#clock)] };
  }
}
