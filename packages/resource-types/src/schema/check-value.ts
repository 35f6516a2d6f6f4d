import { formatPath, isJsonObject, Pace } from "@rad/core";
import type { JsonObject, JsonValue, PathSegment, Sliced } from "@rad/core";
import { canonicalJson } from "./canonical-json.ts";
import {
  below,
  type Budget,
  charactersPerStep,
  pauseOf,
  type Place,
  report,
  type Run,
  segmentsOf,
  spend,
} from "./check-run.ts";
import { checkKind, checkNumber, checkSimple, checkText, isSimple } from "./check-simple.ts";
import type { SchemaNode, Shape } from "./schema-node.ts";
import { plural } from "./value-facts.ts";
import { chosenVariant, shapeFor } from "./variants.ts";

/** What is wrong, and where. The message never repeats the value: it may be a secret. */
export interface Problem {
  /** `$.properties.rules[0].port` */
  readonly path: string;
  readonly message: string;
}

const maxProblems = 50;
/** A step is one value held against one schema, about 0.1 µs; ordinary bodies need a few hundred. */
const maxSteps = 500_000;

/**
 * Holds `value` against `node` and lists the problems, 50 at most. An interpreter rather than generated code: schemas
 * come from API clients, generating and compiling a validator took ajv 0.8 s for the largest schema we accept (70 ms
 * for a small one), and only here can the work be bounded for schemas whose alternatives multiply.
 */
export function* checkValue(
  node: SchemaNode,
  value: JsonValue,
  root: PathSegment,
  budget: Budget = { steps: maxSteps },
): Sliced<Problem[]> {
  const run: Run = { budget, pacing: { pace: new Pace(), stepsSeen: budget.steps }, maxProblems, problems: [] };
  yield* check(node.shape, value, { parent: undefined, segment: root, depth: 0 }, run);
  if (budget.steps <= 0) {
    return [{ path: formatPath([root]), message: "takes too much work to check against its schema." }];
  }
  return run.problems.map(({ place, message }) => ({ path: formatPath(segmentsOf(place)), message }));
}

function* check(shape: Shape, value: JsonValue, place: Place, run: Run): Sliced<void> {
  const pause = pauseOf(run);
  if (pause !== undefined) {
    yield pause;
  }
  if (!checkKind(shape, value, place, run)) {
    return;
  }
  if (shape.allowed !== undefined && !shape.allowed.texts.has(yield* comparableText(value, run))) {
    report(run, place, `must be one of ${shape.allowed.display}.`);
  }
  if (typeof value === "string") {
    checkText(shape, value, place, run);
  } else if (typeof value === "number") {
    checkNumber(shape, value, place, run);
  } else if (Array.isArray(value)) {
    yield* checkArray(shape, value, place, run);
  } else if (isJsonObject(value)) {
    checkVariant(shape, value, place, run);
    yield* checkObject(shapeFor(shape, value), value, place, run);
  }
  yield* checkBranches(shape, value, place, run);
}

function* checkArray(shape: Shape, value: readonly JsonValue[], place: Place, run: Run): Sliced<void> {
  if (shape.minItems !== undefined && value.length < shape.minItems) {
    report(run, place, `must have at least ${plural(shape.minItems, "item")}.`);
  }
  if (shape.maxItems !== undefined && value.length > shape.maxItems) {
    report(run, place, `must have at most ${plural(shape.maxItems, "item")}.`);
  }
  if (shape.uniqueItems) {
    const texts = new Set<string>();
    for (const item of value) {
      texts.add(yield* comparableText(item, run));
    }
    if (texts.size < value.length) {
      report(run, place, "must not contain the same item twice.");
    }
  }
  if (shape.items !== undefined) {
    for (const [index, item] of value.entries()) {
      const inner = below(place, index);
      if (isSimple(shape.items.shape, item)) {
        checkSimple(shape.items.shape, item, inner, run);
      } else {
        yield* check(shape.items.shape, item, inner, run);
      }
      const pause = pauseOf(run);
      if (pause !== undefined) {
        yield pause;
      }
    }
  }
}

function checkVariant({ variants }: Shape, value: JsonObject, place: Place, run: Run): void {
  if (variants !== undefined && chosenVariant(variants, value) === undefined) {
    const problem = Object.hasOwn(value, variants.propertyName) ? "must be" : "is required:";
    report(run, below(place, variants.propertyName), `${problem} one of ${variants.display}.`);
  }
}

function* checkObject(shape: Shape, value: JsonObject, place: Place, run: Run): Sliced<void> {
  const names = Object.keys(value);
  if (!spend(run, shape.required.size + names.length)) {
    return;
  }
  for (const name of shape.required) {
    if (!Object.hasOwn(value, name)) {
      report(run, below(place, name), "is required.");
    }
  }
  if (shape.minProperties !== undefined && names.length < shape.minProperties) {
    report(run, place, `must have at least ${plural(shape.minProperties, "member")}.`);
  }
  if (shape.maxProperties !== undefined && names.length > shape.maxProperties) {
    report(run, place, `must have at most ${plural(shape.maxProperties, "member")}.`);
  }
  for (const name of names) {
    if (run.problems.length >= run.maxProblems) {
      return;
    }
    const node = shape.properties.get(name) ?? shape.additional;
    if (node === false) {
      report(run, below(place, name), "is not a known property.");
    } else if (node !== undefined && !node.readOnly) {
      const member = value[name] ?? null;
      if (isSimple(node.shape, member)) {
        checkSimple(node.shape, member, below(place, name), run);
      } else {
        yield* check(node.shape, member, below(place, name), run);
      }
      const pause = pauseOf(run);
      if (pause !== undefined) {
        yield pause;
      }
    }
  }
}

function* checkBranches(shape: Shape, value: JsonValue, place: Place, run: Run): Sliced<void> {
  for (const branch of shape.allOf) {
    yield* check(branch.shape, value, place, run);
  }
  if (shape.anyOf.length + shape.oneOf.length === 0 && shape.not === undefined) {
    return;
  }
  const matching = { anyOf: 0, oneOf: 0 };
  for (const branch of shape.anyOf) {
    if (yield* accepts(branch, value, place, run)) {
      matching.anyOf = 1;
      break;
    }
  }
  if (shape.anyOf.length > 0 && matching.anyOf === 0) {
    report(run, place, "matches none of the alternatives (anyOf).");
  }
  for (const branch of shape.oneOf) {
    matching.oneOf += (yield* accepts(branch, value, place, run)) ? 1 : 0;
  }
  if (shape.oneOf.length > 0 && matching.oneOf !== 1) {
    report(run, place, "must match exactly one of the alternatives (oneOf).");
  }
  if (shape.not !== undefined && (yield* accepts(shape.not, value, place, run))) {
    report(run, place, "matches what is excluded (not).");
  }
}

function* accepts(node: SchemaNode, value: JsonValue, place: Place, run: Run): Sliced<boolean> {
  const attempt: Run = { ...run, maxProblems: 1, problems: [] };
  yield* check(node.shape, value, place, attempt);
  return attempt.problems.length === 0;
}

function* comparableText(value: JsonValue, run: Run): Sliced<string> {
  const text = run.budget.steps > 0 ? ((yield* canonicalJson(value, run.pacing.pace)) ?? "") : "";
  spend(run, text.length / charactersPerStep);
  return text;
}
