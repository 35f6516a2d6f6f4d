/** For each item that depends on itself, directly or through others, the items of one such chain, itself first. */
export function findCycles<T>(
  items: readonly T[],
  dependencies: (item: T) => Iterable<T>,
): ReadonlyMap<T, readonly T[]> {
  const cycles = new Map<T, readonly T[]>();
  if (isAcyclic(items, dependencies)) {
    return cycles;
  }
  for (const component of components(items, dependencies)) {
    const members = new Set(component);
    for (const item of component) {
      const chain = component.length > longestChain ? component : shortestChain(item, members, dependencies);
      if (chain !== undefined) {
        cycles.set(item, chain);
      }
    }
  }
  return cycles;
}

/** For each item that depends on itself, directly or through others, all items that it reaches and that reach it. */
export function findCyclicGroups<T>(
  items: readonly T[],
  dependencies: (item: T) => Iterable<T>,
): ReadonlyMap<T, ReadonlySet<T>> {
  const groups = new Map<T, ReadonlySet<T>>();
  for (const component of components(items, dependencies)) {
    const members = new Set(component);
    const isCyclic = component.length > 1 || component.some((item) => new Set(dependencies(item)).has(item));
    for (const item of isCyclic ? component : []) {
      groups.set(item, members);
    }
  }
  return groups;
}

// Looking for the shortest chain of each member is quadratic; beyond this many nobody reads it.
const longestChain = 64;

/** Everything that the item depends on, each after what it depends on itself, and the item last. */
export function dependenciesFirst<T>(item: T, dependencies: (item: T) => Iterable<T>): readonly T[] {
  const ordered: T[] = [];
  const seen = new Set([item]);
  const path = [{ item, rest: dependencies(item)[Symbol.iterator]() }];
  for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
    const next = at.rest.next();
    if (next.done === true) {
      ordered.push(at.item);
      path.pop();
    } else if (!seen.has(next.value)) {
      seen.add(next.value);
      path.push({ item: next.value, rest: dependencies(next.value)[Symbol.iterator]() });
    }
  }
  return ordered;
}

/** The usual case, decided with the least work: a walk that never meets an item of its own path again. */
function isAcyclic<T>(items: readonly T[], dependencies: (item: T) => Iterable<T>): boolean {
  const isFinished = new Map<T, boolean>();
  for (const root of items) {
    if (isFinished.has(root)) {
      continue;
    }
    isFinished.set(root, false);
    const path = [{ item: root, rest: dependencies(root)[Symbol.iterator]() }];
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const next = at.rest.next();
      if (next.done === true) {
        isFinished.set(at.item, true);
        path.pop();
        continue;
      }
      const state = isFinished.get(next.value);
      if (state === false) {
        return false;
      }
      if (state === undefined) {
        isFinished.set(next.value, false);
        path.push({ item: next.value, rest: dependencies(next.value)[Symbol.iterator]() });
      }
    }
  }
  return true;
}

/** Groups of items that reach each other (Tarjan's algorithm, without recursion). */
function components<T>(items: Iterable<T>, dependencies: (item: T) => Iterable<T>): T[][] {
  const order = new Map<T, number>();
  const low = new Map<T, number>();
  const open = new Set<T>();
  const stack: T[] = [];
  const found: T[][] = [];
  const enter = (item: T): { item: T; rest: Iterator<T> } => {
    order.set(item, order.size);
    low.set(item, order.size - 1);
    open.add(item);
    stack.push(item);
    return { item, rest: dependencies(item)[Symbol.iterator]() };
  };
  const lower = (item: T, value: number): void => {
    low.set(item, Math.min(low.get(item) ?? value, value));
  };
  for (const root of items) {
    if (order.has(root)) {
      continue;
    }
    const path = [enter(root)];
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const next = at.rest.next();
      if (next.done !== true) {
        if (!order.has(next.value)) {
          path.push(enter(next.value));
        } else if (open.has(next.value)) {
          lower(at.item, order.get(next.value) ?? 0);
        }
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above !== undefined) {
        lower(above.item, low.get(at.item) ?? 0);
      }
      if (low.get(at.item) === order.get(at.item)) {
        found.push(takeComponent(at.item, stack, open));
      }
    }
  }
  return found;
}

function takeComponent<T>(first: T, stack: T[], open: Set<T>): T[] {
  const component: T[] = [];
  for (;;) {
    const item = stack.pop();
    if (item === undefined) {
      return component;
    }
    open.delete(item);
    component.push(item);
    if (item === first) {
      return component.reverse();
    }
  }
}

function shortestChain<T>(
  start: T,
  members: ReadonlySet<T>,
  dependencies: (item: T) => Iterable<T>,
): readonly T[] | undefined {
  const cameFrom = new Map<T, T>();
  let frontier: T[] = [start];
  while (frontier.length > 0) {
    const next: T[] = [];
    for (const item of frontier) {
      for (const dependency of dependencies(item)) {
        if (dependency === start) {
          return trace(start, item, cameFrom);
        }
        if (members.has(dependency) && !cameFrom.has(dependency)) {
          cameFrom.set(dependency, item);
          next.push(dependency);
        }
      }
    }
    frontier = next;
  }
  return undefined;
}

function trace<T>(start: T, last: T, cameFrom: ReadonlyMap<T, T>): T[] {
  const chain: T[] = [];
  for (let at: T | undefined = last; at !== undefined && at !== start; at = cameFrom.get(at)) {
    chain.push(at);
  }
  chain.push(start);
  return chain.reverse();
}
