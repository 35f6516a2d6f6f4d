/** Which files refer to which, looked at from one file: what to check first, and where the circles are. */
export interface FileOrder {
  /** Every file that is reached, each after the files that it refers to (circles aside). */
  readonly leavesFirst: readonly string[];
  /** Files that reach each other have the same number. */
  readonly circle: ReadonlyMap<string, number>;
  /** The longest chain of references that starts at a file, the file included. */
  readonly depth: ReadonlyMap<string, number>;
}

interface Visit {
  readonly path: string;
  readonly rest: Iterator<string>;
}

/** Tarjan's algorithm without recursion: chains of files may be longer than a stack is deep. */
export function orderFiles(start: string, referencesOf: (path: string) => Iterable<string>): FileOrder {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const circle = new Map<string, number>();
  const depth = new Map<string, number>();
  const leavesFirst: string[] = [];
  const open: string[] = [];
  const enter = (path: string): Visit => {
    low.set(path, order.size);
    order.set(path, order.size);
    open.push(path);
    return { path, rest: referencesOf(path)[Symbol.iterator]() };
  };
  const visits = [enter(start)];
  for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
    const { path, rest } = visit;
    const next = rest.next();
    if (next.done !== true) {
      if (!order.has(next.value)) {
        visits.push(enter(next.value));
      } else if (!circle.has(next.value)) {
        low.set(path, Math.min(low.get(path) ?? 0, order.get(next.value) ?? 0));
      }
      continue;
    }
    visits.pop();
    leavesFirst.push(path);
    depth.set(path, 1 + deepest(referencesOf(path), depth));
    const above = visits.at(-1);
    if (above !== undefined) {
      low.set(above.path, Math.min(low.get(above.path) ?? 0, low.get(path) ?? 0));
    }
    if (low.get(path) === order.get(path)) {
      closeCircle(path, open, circle, order.get(path) ?? 0);
    }
  }
  return { leavesFirst, circle, depth };
}

/** The shortest way from one file to another, both included. */
export function wayBetween(
  from: string,
  to: string,
  referencesOf: (path: string) => Iterable<string>,
): readonly string[] {
  const cameFrom = new Map<string, string>();
  let frontier = [from];
  while (frontier.length > 0 && !frontier.includes(to)) {
    const next: string[] = [];
    for (const path of frontier) {
      for (const target of referencesOf(path)) {
        if (target !== from && !cameFrom.has(target)) {
          cameFrom.set(target, path);
          next.push(target);
        }
      }
    }
    frontier = next;
  }
  const way = [to];
  for (let at = cameFrom.get(to); at !== undefined; at = cameFrom.get(at)) {
    way.unshift(at);
  }
  return way;
}

function deepest(targets: Iterable<string>, depth: ReadonlyMap<string, number>): number {
  let most = 0;
  for (const target of targets) {
    most = Math.max(most, depth.get(target) ?? 0);
  }
  return most;
}

function closeCircle(first: string, open: string[], circle: Map<string, number>, number: number): void {
  for (;;) {
    const path = open.pop();
    if (path === undefined) {
      return;
    }
    circle.set(path, number);
    if (path === first) {
      return;
    }
  }
}
