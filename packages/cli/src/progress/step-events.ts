import type { OperationStep } from "@rad/client";
import type { ItemState, ProgressItem } from "./progress-item.ts";
import { itemState } from "./progress-item.ts";

/** A step of a resource that has begun or ended. */
export interface StepEvent {
  readonly item: ProgressItem;
  /** The names of the steps that it is part of, then its own. */
  readonly path: readonly string[];
  readonly state: ItemState;
  readonly step: OperationStep;
}

/** Keeps what was shown last, to tell which steps have begun or ended since. */
export function createStepFilter(): (item: ProgressItem) => StepEvent[] {
  const shown = new Map<string, ItemState>();
  return (item) => item.steps.flatMap((step, index) => changesIn(item, [], `${item.key} ${index}`, step));

  /** A step begins before those inside of it, and ends after them. */
  function changesIn(item: ProgressItem, parents: readonly string[], key: string, step: OperationStep): StepEvent[] {
    const state = itemState(step.state);
    const path = [...parents, step.name];
    const own: StepEvent[] = shown.get(key) === state ? [] : [{ item, path, state, step }];
    shown.set(key, state);
    const inner = step.steps.flatMap((child, index) => changesIn(item, path, `${key}.${index}`, child));
    return state === "Running" ? [...own, ...inner] : [...inner, ...own];
  }
}
