import type { Budget } from "../budget.ts";
import type { Pausing } from "../pausing.ts";

/** What has to come before what. Keys are strings; edges point to what comes first. */
export class DependencyGraph {
  readonly #edges = new Map<string, Set<string>>();
  /** Nodes that only stand for many others. */
  readonly #barriers = new Set<string>();

  addNode(key: string): void {
    if (!this.#edges.has(key)) {
      this.#edges.set(key, new Set());
    }
  }

  addEdge(from: string, to: string): void {
    this.addNode(from);
    this.#edges.get(from)?.add(to);
  }

  /**
   * Adds a barrier over `members`, once, and gives what to depend on: nothing, the only member, or the barrier. Each
   * round of a loop may ask for the same one, so nothing here goes through the members twice.
   */
  join(key: string, members: readonly { readonly key: string }[]): string | undefined {
    if (members.length <= 1) {
      return members[0]?.key;
    }
    if (!this.#barriers.has(key)) {
      this.#barriers.add(key);
      this.#edges.set(key, new Set(members.map((member) => member.key)));
    }
    return key;
  }

  get barriers(): ReadonlySet<string> {
    return this.#barriers;
  }

  dependenciesOf(key: string): readonly string[] {
    return [...(this.#edges.get(key) ?? [])];
  }

  /** Everything that something else depends on. */
  *targets(budget: Budget): Pausing<Set<string>> {
    const targets = new Set<string>();
    for (const edges of this.#edges.values()) {
      if (budget.isDue) {
        yield budget;
      }
      budget.spend(1 + edges.size);
      edges.forEach((target) => targets.add(target));
    }
    return targets;
  }

  /** The first circle there is, its start repeated at the end; barriers are left out. In linear time, on no stack. */
  *findCycle(budget: Budget): Pausing<readonly string[] | undefined> {
    const state = new Map<string, "open" | "done">();
    for (const start of this.#edges.keys()) {
      const cycle = state.has(start) ? undefined : yield* this.#walk(start, state, budget);
      if (cycle !== undefined) {
        return cycle;
      }
    }
    return undefined;
  }

  *#walk(start: string, state: Map<string, "open" | "done">, budget: Budget): Pausing<readonly string[] | undefined> {
    const trail: { readonly key: string; readonly next: Iterator<string> }[] = [];
    const open = (key: string): void => {
      state.set(key, "open");
      trail.push({ key, next: (this.#edges.get(key) ?? new Set<string>()).values() });
    };
    open(start);
    for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
      budget.spend(1);
      if (budget.isDue) {
        yield budget;
      }
      const step = top.next.next();
      if (step.done === true) {
        state.set(top.key, "done");
        trail.pop();
      } else if (state.get(step.value) === "open") {
        const keys = trail.map(({ key }) => key);
        const circle = keys.slice(keys.indexOf(step.value)).filter((key) => !this.#barriers.has(key));
        return [...circle, circle[0] ?? step.value];
      } else if (!state.has(step.value)) {
        open(step.value);
      }
    }
    return undefined;
  }
}
