/**
 * How far an object is, seen at one moment.
 *
 * - `ready`: it does its work.
 * - `waiting`: it may get there by itself; the message says what it waits for, and becomes the error at the time-out.
 * - `failing`: nobody but a person is likely to help, yet a controller tries again, so it fails only if it stays like this
 *   for a while.
 * - `failed`: it does not get there.
 */
export type State =
  | { readonly kind: "ready" }
  | { readonly kind: "waiting" | "failing" | "failed"; readonly message: string };

export const ready: State = { kind: "ready" };

export function waiting(message: string): State {
  return { kind: "waiting", message };
}

export function failing(message: string): State {
  return { kind: "failing", message };
}

export function failed(message: string): State {
  return { kind: "failed", message };
}

/** The state that decides about the whole, when several parts have one each. */
export function worstOf(states: readonly State[]): State {
  return (
    states.find(({ kind }) => kind === "failed") ??
    states.find(({ kind }) => kind === "failing") ??
    states.find(({ kind }) => kind === "waiting") ??
    ready
  );
}
