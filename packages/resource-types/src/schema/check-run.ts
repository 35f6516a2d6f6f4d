import type { Pace, PathSegment } from "@rad/core";

/** Characters that are gone through in the time of a step. */
export const charactersPerStep = 16;

/** Where a value is, as a list from the inside out: paths are only written for problems. */
export interface Place {
  readonly parent: Place | undefined;
  readonly segment: PathSegment;
  readonly depth: number;
}

/** What is left to spend. Shared by all branches of one check, so that nested alternatives cannot multiply the work. */
export interface Budget {
  steps: number;
}

interface Pacing {
  readonly pace: Pace;
  /** What was left of the budget when the pace was told last. */
  stepsSeen: number;
}

/** One check of a body, or of one alternative in it. */
export interface Run {
  readonly budget: Budget;
  readonly pacing: Pacing;
  readonly maxProblems: number;
  readonly problems: { readonly place: Place; readonly message: string }[];
}

/** Tells the pace what was spent since the last time; wait for what it returns, if anything. */
export function pauseOf({ budget, pacing }: Run): Promise<void> | undefined {
  const spent = pacing.stepsSeen - budget.steps;
  pacing.stepsSeen = budget.steps;
  return pacing.pace.spend(spent);
}

/** False when nothing is left: the check then comes to its end, and `checkValue` says that it was too much. */
export function spend(run: Run, steps: number): boolean {
  run.budget.steps -= steps;
  return run.budget.steps > 0;
}

export function report(run: Run, place: Place, message: string): void {
  if (run.problems.length < run.maxProblems) {
    run.problems.push({ place, message });
  }
}

export function segmentsOf(place: Place): PathSegment[] {
  const segments: PathSegment[] = [];
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) {
    segments.push(at.segment);
  }
  return segments.reverse();
}

export function below(place: Place, segment: PathSegment): Place {
  return { parent: place, segment, depth: place.depth + 1 };
}
