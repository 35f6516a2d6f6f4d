import type { OperationStep } from "@rad/store";

export type StepState = OperationStep["state"];

/** A step as it changes. */
export interface StepNode {
  name: string;
  state: StepState;
  startTime: string;
  endTime?: string;
  message?: string;
  detail?: string;
  share?: number;
  folded?: number;
  steps: StepNode[];
}

/**
 * The steps of one operation, over all of its attempts. Another attempt goes on with what is stored: it takes up an
 * unfinished step of the same name below the same parent, and adds everything else it runs at the end, also when a step
 * of that name has finished before.
 *
 * No more than `limit` steps are kept. Beyond that the oldest finished ones, with what is below them, fold into one entry
 * at the head of their list which tells how many they were. A step that finds nothing to fold is not listed.
 */
export class StepTree {
  readonly #top: StepNode[];
  readonly #limit: number;
  #size: number;

  constructor(stored: readonly OperationStep[], limit = 200) {
    this.#top = stored.map(toNode);
    this.#size = sizeOf(this.#top);
    this.#limit = limit;
  }

  /** @param isTaken whether this attempt works on a step already; two may have the same name. */
  begin(parent: StepNode | undefined, name: string, startTime: string, isTaken: (node: StepNode) => boolean): StepNode {
    const siblings = parent?.steps ?? this.#top;
    const unfinished = siblings.find((node) => node.state === "Running" && node.name === name && !isTaken(node));
    if (unfinished !== undefined) {
      return unfinished;
    }
    const node: StepNode = { name, state: "Running", startTime, steps: [] };
    if (this.#size < this.#limit || this.#fold(this.#top)) {
      siblings.push(node);
      this.#size += 1;
    }
    return node;
  }

  snapshot(): readonly OperationStep[] {
    return this.#top.map(toStep);
  }

  /** @returns whether there is room for one more now. */
  #fold(list: StepNode[]): boolean {
    while (this.#size >= this.#limit) {
      const index = list.findIndex((node) => node.state !== "Running" && node.folded === undefined);
      const [oldest] = index < 0 ? [] : list.splice(index, 1);
      if (oldest === undefined) {
        return list.some((node) => node.state === "Running" && this.#fold(node.steps));
      }
      this.#size -= sizeOf([oldest]);
      this.#size += addToFolded(list, oldest);
    }
    return true;
  }
}

/** @returns by how many entries the list grew. */
function addToFolded(list: StepNode[], step: StepNode): number {
  const count = countOf(step);
  const [head] = list;
  if (head?.folded !== undefined) {
    head.folded += count;
    head.name = foldedName(head.folded);
    Object.assign(head, step.endTime === undefined ? {} : { endTime: step.endTime });
    return 0;
  }
  const { startTime, endTime } = step;
  list.unshift({
    name: foldedName(count),
    state: "Succeeded",
    startTime,
    ...(endTime === undefined ? {} : { endTime }),
    folded: count,
    steps: [],
  });
  return 1;
}

function foldedName(count: number): string {
  return count === 1 ? "1 earlier step" : `${count} earlier steps`;
}

function countOf({ folded = 1, steps }: StepNode): number {
  return steps.reduce((sum, step) => sum + countOf(step), folded);
}

function sizeOf(steps: readonly StepNode[]): number {
  return steps.reduce((sum, step) => sum + 1 + sizeOf(step.steps), 0);
}

function toNode({ steps = [], ...step }: OperationStep): StepNode {
  return { ...step, steps: steps.map(toNode) };
}

function toStep({ steps, ...step }: StepNode): OperationStep {
  return steps.length === 0 ? { ...step } : { ...step, steps: steps.map(toStep) };
}
