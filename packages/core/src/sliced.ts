/**
 * Work on a value of any size that pauses now and then. Each promise that it yields is to be awaited before it goes on; a
 * small value yields none. A generator, because an async function per member would cost a turn each.
 */
export type Sliced<Result> = Generator<Promise<void>, Result, void>;

/** Runs `work` to its end. Small work is done when this returns, so that it takes no turn of the event loop. */
export function inSlices<Result>(work: Sliced<Result>): Result | Promise<Result> {
  const first = work.next();
  return first.done === true ? first.value : resumed(work, first.value);
}

/** Runs `work` without a pause: for programs that serve no requests, and for values that are known to be small. */
export function atOnce<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) {
      return step.value;
    }
  }
}

async function resumed<Result>(work: Sliced<Result>, pause: Promise<void>): Promise<Result> {
  let next = pause;
  for (;;) {
    await next;
    const step = work.next();
    if (step.done === true) {
      return step.value;
    }
    next = step.value;
  }
}
