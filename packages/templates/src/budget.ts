import { TemplateError } from "./template-error.ts";

/** For one request, or one run of a deployment, with everything nested in it. About a second of CPU time. */
const defaultSteps = 10_000_000;

/** For what is evaluated without a pause: one expression, with the variables that it is the first to ask for. */
const stepsAtOnce = 500_000;

/** After so many steps, work in slices looks whether others want their turn: well below a millisecond. */
const stepsBetweenPauses = 4_000;

/**
 * Calls within calls, within lambdas, user functions and the arrays and objects around them. The deepest mixes of them
 * were run on half of Node's default stack, so a caller may well be deep in work of its own.
 */
const maxDepth = 600;

/** No text that an expression builds is longer than this many UTF-16 units. */
const maxTextLength = 1 << 24;

export function checkTextLength(length: number): void {
  if (length > maxTextLength) {
    throw new TemplateError("LimitExceeded", `The expression builds a text of more than ${maxTextLength} characters.`);
  }
}

/** What a new object costs besides its members. It takes as much memory as this many elements of an array. */
const objectSteps = 12;

/** Characters of two texts that are compared in the time of a step. */
const comparedPerStep = 1024;

/** How deeply arrays and objects may nest in one value. */
export const maxValueDepth = 500;

interface Pool {
  left: number;
  /** Steps since the last pause. */
  sincePause: number;
  readonly maxAtOnce: number;
}

/**
 * Keeps a hostile template from running for ever, from keeping the thread, and from filling the memory. One step is a
 * call, or an element or some characters that a call goes through or builds; values share their parts, so small code can
 * stand for a very large value. A step was measured to take some 40 ns, 150 ns at most, and no more than 16 bytes,
 * whichever function spends it (`npm run bench -- --only steps`).
 */
export class Budget {
  readonly #pool: Pool;
  #depth = 0;

  /** @param steps `Infinity` for what the program itself made. */
  constructor(steps: number = defaultSteps, shared?: Budget) {
    const maxAtOnce = steps === Infinity ? Infinity : stepsAtOnce;
    this.#pool = shared === undefined ? { left: steps, sincePause: 0, maxAtOnce } : shared.#pool;
  }

  /** Spends from the same steps; for another evaluation, which goes on between the pauses of this one. */
  share(): Budget {
    return new Budget(0, this);
  }

  get left(): number {
    return this.#pool.left;
  }

  /** Work in slices asks before each piece that it does at once: `if (budget.isDue) yield budget`. */
  get isDue(): boolean {
    return this.#pool.sincePause >= stepsBetweenPauses;
  }

  /** One expression alone has taken milliseconds. */
  get isLongDue(): boolean {
    return this.#pool.sincePause >= 10 * stepsBetweenPauses;
  }

  /** Others have had their turn. */
  pause(): void {
    this.#pool.sincePause = 0;
  }

  spend(steps: number): void {
    const pool = this.#pool;
    pool.left -= steps;
    pool.sincePause += steps;
    if (pool.left < 0) {
      throw outOfSteps();
    }
    if (pool.sincePause > pool.maxAtOnce) {
      throw new TemplateError(
        "LimitExceeded",
        `One expression takes more than ${stepsAtOnce} steps. Compute less in it, or spread it over several properties.`,
      );
    }
  }

  /** Fails unless so many steps are left for later. */
  reserve(steps: number): void {
    if (steps > this.#pool.left) {
      throw outOfSteps();
    }
  }

  /** For text that is about to be built. */
  spendText(length: number): void {
    checkTextLength(length);
    this.spend(1 + (length >> 3));
  }

  /** For text that is gone through once. */
  spendReading(length: number): void {
    this.spend(1 + (length >> 4));
  }

  /** For looking for one text in another: at worst all of it is compared at every place where it could stand. */
  spendSearch(text: string, wanted: string): void {
    const places = Math.max(text.length - wanted.length + 1, 0);
    this.spendReading(text.length);
    this.spend((places * wanted.length) / comparedPerStep);
  }

  /** For going through the members of an object, whose names may be long. */
  spendMembers(object: ReadonlyMap<string, unknown>): void {
    let length = 0;
    for (const name of object.keys()) {
      length += name.length;
    }
    this.spend(object.size + (length >> 4));
  }

  /** For objects that are about to be built. */
  spendObjects(count: number): void {
    this.spend(count * objectSteps);
  }

  enter(): void {
    if (this.#depth >= maxDepth) {
      throw new TemplateError("LimitExceeded", `The evaluation nests more than ${maxDepth} levels deep.`);
    }
    this.#depth += 1;
  }

  leave(): void {
    this.#depth -= 1;
  }
}

function outOfSteps(): TemplateError {
  const message =
    "The deployment takes too many steps to evaluate. Split the template, or compute less in its expressions.";
  return new TemplateError("LimitExceeded", message, {}, true);
}
