/** Remembers which results were made from which inputs, so that a change drops those that it may have changed. */
export class InputTracker {
  readonly #users = new Map<string, Set<string>>();

  /** `user` looked at `input`, whether it was there or not. */
  record(user: string, input: string): void {
    const users = this.#users.get(input);
    if (users === undefined) {
      this.#users.set(input, new Set([user]));
    } else {
      users.add(user);
    }
  }

  /** Everything that was made from the input, directly or through others; forgets what it was made from. */
  takeUsers(input: string): ReadonlySet<string> {
    const found = new Set<string>();
    const waiting = [input];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const user of this.#users.get(next) ?? []) {
        if (!found.has(user)) {
          found.add(user);
          waiting.push(user);
        }
      }
      this.#users.delete(next);
    }
    return found;
  }
}
