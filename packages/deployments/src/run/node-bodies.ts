import type { JsonValue } from "@rad/core";
import type { Plan } from "@rad/templates";

/**
 * What nodes turned out to be, for as long as a node that has not run may read it. Whatever else is asked for is read
 * again from its target, so that a large deployment does not keep all of its resources in memory.
 */
export class NodeBodies {
  readonly #plan: Plan;
  readonly #bodies = new Map<string, JsonValue>();
  /** How many nodes may still read a node, directly or, where it belongs to a loop, through the loop's barrier. */
  readonly #readers = new Map<string, number>();
  readonly #pinned: ReadonlySet<string>;

  /** @param pinned are kept until the end, because an output reads them. */
  constructor(plan: Plan, pinned: ReadonlySet<string>) {
    this.#plan = plan;
    this.#pinned = pinned;
    for (const { dependsOn } of plan.nodes.values()) {
      for (const dependency of dependsOn) {
        this.#readers.set(dependency, (this.#readers.get(dependency) ?? 0) + 1);
      }
    }
  }

  get(key: string): JsonValue | undefined {
    return this.#bodies.get(key);
  }

  offer(key: string, body: JsonValue): void {
    if (this.#pinned.has(key) || (this.#readers.get(key) ?? 0) > 0) {
      this.#bodies.set(key, body);
    }
  }

  /** The node has run and reads nothing more. A barrier reads for those that depend on it, so it goes on. */
  settled(key: string): void {
    const node = this.#plan.nodes.get(key);
    if (node !== undefined && (node.kind !== "barrier" || (this.#readers.get(key) ?? 0) === 0)) {
      node.dependsOn.forEach((dependency) => this.#release(dependency));
    }
  }

  #release(key: string): void {
    const readers = (this.#readers.get(key) ?? 0) - 1;
    this.#readers.set(key, readers);
    if (readers > 0) {
      return;
    }
    const node = this.#plan.nodes.get(key);
    if (node?.kind === "barrier") {
      node.dependsOn.forEach((dependency) => this.#release(dependency));
    } else if (!this.#pinned.has(key)) {
      this.#bodies.delete(key);
    }
  }
}
