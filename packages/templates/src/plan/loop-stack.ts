import { define, type FunctionCall, type FunctionDefinition } from "../functions/function-call.ts";
import type { Pausing } from "../pausing.ts";
import { PlanProblem } from "./plan-problem.ts";

/** One round of a `copy` loop. */
export interface Round {
  /** In lower case. */
  readonly loop: string;
  readonly index: number;
  /** `copyIndex()` without a name means the loop of a resource or an output, never that of a property. */
  readonly unnamed: boolean;
}

interface Frame extends Round {
  readonly outer: Frame | undefined;
}

/** The loops around the expression that is being evaluated. */
export class LoopStack {
  #innermost: Frame | undefined;

  within<T>(round: Round, run: () => T): T {
    return this.#with({ ...round, outer: this.#innermost }, run);
  }

  withinSlices<T>(round: Round, work: () => Pausing<T>): Pausing<T> {
    return this.#withSlices({ ...round, outer: this.#innermost }, work);
  }

  /** Variables, parameters and functions do not see the loops of those who use them. */
  outside<T>(run: () => T): T {
    return this.#innermost === undefined ? run() : this.#with(undefined, run);
  }

  all<T>(rounds: readonly Round[], run: () => T): T {
    const frame = rounds.reduce<Frame | undefined>((outer, round) => ({ ...round, outer }), undefined);
    return this.#with(frame, run);
  }

  allSlices<T>(rounds: readonly Round[], work: () => Pausing<T>): Pausing<T> {
    const frame = rounds.reduce<Frame | undefined>((outer, round) => ({ ...round, outer }), undefined);
    return this.#withSlices(frame, work);
  }

  /** `copyIndex(loop?, offset?)`. */
  function(): FunctionDefinition {
    return define("copyIndex", [0, 2], (call) => {
      const named = typeof call.argument(0) === "string";
      if (!named && call.count > 1) {
        throw call.wrongKind(0, "the name of a loop", call.argument(0));
      }
      const offsetAt = named ? 1 : 0;
      const offset = call.count > offsetAt ? call.int(offsetAt) : 0n;
      return BigInt(this.#find(call, named ? call.string(0) : undefined).index) + offset;
    });
  }

  #find(call: FunctionCall, name: string | undefined): Round {
    const wanted = name?.toLowerCase();
    for (let frame = this.#innermost; frame !== undefined; frame = frame.outer) {
      if (wanted === undefined ? frame.unnamed : frame.loop === wanted) {
        return frame;
      }
    }
    const message = name === undefined ? "there is no loop here" : `there is no loop "${name}" here`;
    throw new PlanProblem("FunctionNotAllowed", `${call.name}: ${message}.`);
  }

  /** Other expressions of the plan may be evaluated while this work pauses, so it takes its loops away meanwhile. */
  *#withSlices<T>(frame: Frame | undefined, start: () => Pausing<T>): Pausing<T> {
    const before = this.#innermost;
    this.#innermost = frame;
    try {
      const work = start();
      for (let step = work.next(); ; step = work.next()) {
        if (step.done === true) {
          return step.value;
        }
        this.#innermost = before;
        yield step.value;
        this.#innermost = frame;
      }
    } finally {
      this.#innermost = before;
    }
  }

  #with<T>(frame: Frame | undefined, run: () => T): T {
    const before = this.#innermost;
    this.#innermost = frame;
    try {
      return run();
    } finally {
      this.#innermost = before;
    }
  }
}
