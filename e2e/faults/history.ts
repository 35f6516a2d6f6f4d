/** What a caller asks for. `create` is a PUT that insists on a new resource. */
export interface Change {
  readonly kind: "put" | "create" | "delete" | "get";
  /** What a PUT stores, and no other. */
  readonly version: number;
}

/** The version that a resource has, or that it is not there. */
export type State = number | "absent";

/**
 * What one resource may hold after everything that its only caller has sent. A request without an answer, or answered
 * with 503, may have been carried out or not; every other answer narrows down what is possible, or is wrong.
 */
export class History {
  readonly #story: string[] = [];
  #possible: ReadonlySet<State> = new Set<State>(["absent"]);

  /** The change may have happened. */
  unknown({ kind, version }: Change): void {
    this.#story.push(`${kind} ${version}?`);
    if (kind === "put" || (kind === "create" && this.#possible.has("absent"))) {
      this.#possible = new Set([...this.#possible, version]);
    } else if (kind === "delete") {
      this.#possible = new Set<State>([...this.#possible, "absent"]);
    }
  }

  /** The change was answered. @returns what is wrong with that, if anything is */
  answered(change: Change, status: number, found?: State): string | undefined {
    this.#story.push(`${change.kind} ${change.version}: ${status}${found === undefined ? "" : ` ${found}`}`);
    const after = this.#after(change, status, found);
    if (after.size === 0) {
      return `${this.#story.slice(-8).join(", ")}; possible was ${[...this.#possible].join(" or ")}`;
    }
    this.#possible = after;
    return undefined;
  }

  #after({ kind, version }: Change, status: number, found?: State): ReadonlySet<State> {
    const isThere = [...this.#possible].some((state) => state !== "absent");
    const isAbsent = this.#possible.has("absent");
    const only = (state: State, holds: boolean): ReadonlySet<State> => new Set<State>(holds ? [state] : []);
    switch (`${kind} ${status}`) {
      case "put 200":
      case "put 201":
        return only(version, true);
      case "create 200":
      case "create 201":
        return only(version, isAbsent);
      case "create 412":
        return new Set([...this.#possible].filter((state) => state !== "absent"));
      case "delete 200":
      case "delete 202":
        return only("absent", isThere);
      case "delete 204":
        return only("absent", isAbsent);
      case "get 200":
        return only(found ?? "absent", found !== undefined && this.#possible.has(found));
      case "get 404":
        return only("absent", isAbsent);
      default:
        return new Set();
    }
  }
}
