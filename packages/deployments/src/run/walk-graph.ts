/** `failed`: nothing that depends on the node is started. */
export type NodeOutcome = "done" | "failed";

export interface GraphNode {
  readonly dependsOn: readonly string[];
}

export interface Walk {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** Nodes under way at once. */
  readonly limit: number;
  /**
   * Called once everything that the node depends on is done. An answer at once costs no turn of the event loop.
   * A rejection is not about the node: it ends the walk.
   */
  readonly visit: (key: string) => NodeOutcome | Promise<NodeOutcome>;
  /** When it aborts, nothing more is started; what runs is waited for. */
  readonly stop: AbortSignal;
  /** When it aborts, the walk rejects at once. */
  readonly abandon: AbortSignal;
}

/**
 * Visits every node after all those it depends on, as many at once as it may. Resolves when nothing is under way and
 * nothing more can be started. Costs as much as there are nodes and edges.
 */
export function walkGraph(walk: Walk): Promise<void> {
  return new Promise((resolve, reject) => {
    new GraphWalk(walk, resolve, reject).proceed();
  });
}

class GraphWalk {
  readonly #walk: Walk;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  readonly #dependents = new Map<string, string[]>();
  /** How many dependencies of a node are not done. */
  readonly #missing = new Map<string, number>();
  readonly #ready: string[] = [];
  #next = 0;
  #active = 0;
  #isOver = false;

  constructor(walk: Walk, resolve: () => void, reject: (error: unknown) => void) {
    this.#walk = walk;
    this.#resolve = resolve;
    this.#reject = reject;
    for (const [key, { dependsOn }] of walk.nodes) {
      this.#missing.set(key, dependsOn.length);
      if (dependsOn.length === 0) {
        this.#ready.push(key);
      }
      for (const dependency of dependsOn) {
        const dependents = this.#dependents.get(dependency);
        if (dependents === undefined) {
          this.#dependents.set(dependency, [key]);
        } else {
          dependents.push(key);
        }
      }
    }
    walk.abandon.addEventListener("abort", this.#abandoned, { once: true });
  }

  proceed(): void {
    const { stop, abandon, limit, visit } = this.#walk;
    if (abandon.aborted) {
      this.#abandoned();
    }
    while (!this.#isOver && !stop.aborted && this.#active < limit && this.#next < this.#ready.length) {
      const key = this.#ready[this.#next] ?? "";
      this.#next += 1;
      const outcome = visit(key);
      if (typeof outcome === "string") {
        this.#settle(key, outcome);
      } else {
        this.#active += 1;
        this.#follow(key, outcome);
      }
    }
    if (this.#active === 0) {
      this.#end(this.#resolve);
    }
  }

  #follow(key: string, outcome: Promise<NodeOutcome>): void {
    outcome.then(
      (result) => {
        this.#active -= 1;
        this.#settle(key, result);
        this.proceed();
      },
      (error: unknown) => this.#end(() => this.#reject(error)),
    );
  }

  #settle(key: string, outcome: NodeOutcome): void {
    if (outcome === "failed") {
      return;
    }
    for (const dependent of this.#dependents.get(key) ?? []) {
      const missing = (this.#missing.get(dependent) ?? 0) - 1;
      this.#missing.set(dependent, missing);
      if (missing === 0) {
        this.#ready.push(dependent);
      }
    }
  }

  readonly #abandoned = (): void => this.#end(() => this.#reject(this.#walk.abandon.reason));

  #end(settle: () => void): void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#walk.abandon.removeEventListener("abort", this.#abandoned);
      settle();
    }
  }
}
