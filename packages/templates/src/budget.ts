import { TemplateError } from "./template-error.ts";

const defaultSteps = 10_000_000;

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
const objectSteps = 8;

/** Characters of two texts that are compared in the time of a step. */
const comparedPerStep = 1024;

/** How deeply arrays and objects may nest in one value. */
export const maxValueDepth = 500;

/**
 * Keeps a hostile template from running for ever or filling the memory. One step is a call, or an element or some
 * characters that a call goes through; values share their parts, so small code can stand for a very large value.
 * Ten million steps of any one function were measured to take 3.5 seconds and 440 MB at most.
 */
export class Budget {
  #steps: number;
  #depth = 0;

  constructor(steps: number = defaultSteps) {
    this.#steps = steps;
  }

  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) {
      throw new TemplateError("LimitExceeded", "The expression takes too many steps.");
    }
  }

  /** For text that is about to be built. */
  spendText(length: number): void {
    checkTextLength(length);
    this.spend(1 + (length >> 4));
  }

  /** For looking for one text in another: at worst all of it is compared at every place where it could stand. */
  spendSearch(text: string, wanted: string): void {
    const places = Math.max(text.length - wanted.length + 1, 0);
    this.spendText(text.length);
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
