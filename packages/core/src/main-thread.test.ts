import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { MainThread, Pace } from "./main-thread.ts";

/** A thread whose time passes only when work is done on it. */
function workplace() {
  let now = 0;
  const thread = new MainThread(() => now);
  const log: string[] = [];
  const work = async (name: string, pieces: number, msEach: number): Promise<void> => {
    for (let piece = 0; piece < pieces; piece += 1) {
      log.push(name);
      now += msEach;
      const rest = thread.giveWay();
      if (rest !== undefined) {
        await rest;
      }
    }
  };
  return { thread, log, work };
}

/** Writes down every turn of the event loop until the work is done. */
async function withTurns(log: string[], start: () => Promise<unknown>): Promise<void> {
  let turn = nextTurn(); // asked for first, so that it is written down before what the turn brings
  const work = { isDone: false };
  const done = start().then(() => {
    work.isDone = true;
  });
  while (!work.isDone) {
    await turn;
    log.push("|");
    turn = nextTurn();
  }
  await done;
}

describe("the main thread", () => {
  it("takes a turn after work that was longer than a slice, also when no slice had begun", async () => {
    let now = 0;
    const thread = new MainThread(() => now);
    const log: string[] = [];

    await withTurns(log, async () => {
      for (let piece = 0; piece < 2; piece += 1) {
        log.push("long");
        now += 100;
        await thread.nextTurn();
      }
      log.push("end");
    });

    assert.equal(log.join(" "), "long | long | end |");
  });

  it("lets short work pass without a turn", async () => {
    const { log, work } = workplace();
    await withTurns(log, () => work("a", 10, 0.1));
    assert.equal(log.join("").replace(/\|+$/, ""), "aaaaaaaaaa");
  });

  it("lets long work go on for one slice per turn", async () => {
    const { log, work } = workplace();
    await withTurns(log, () => work("a", 9, 2));
    for (const turn of log.join("").split("|")) {
      assert.ok(turn.length <= 3, `a turn took ${turn.length} pieces of 2 ms`);
    }
  });

  it("gives all long work one slice per turn together, in the order in which it came", async () => {
    const { log, work } = workplace();
    await withTurns(log, () => Promise.all([work("a", 4, 5), work("b", 4, 5), work("c", 4, 5)]));
    const turns = log
      .join("")
      .split("|")
      .filter((turn) => turn !== "");
    assert.deepEqual(turns, ["aabc", "a", "b", "c", "a", "b", "c", "b", "c"]);
  });

  it("lets several short works share a slice", async () => {
    const { log, work } = workplace();
    const short = Array.from({ length: 9 }, (_, index) => () => work(`${index}`, 2, 1));
    await withTurns(log, async () => {
      const long = work("a", 3, 5);
      await Promise.all([long, ...short.map((start) => start())]);
    });
    const turns = log.join("").split("|");
    assert.ok(turns.length < 9, `nine short works took ${turns.length} turns`);
  });

  it("rests between slices while requests come in", async () => {
    const { thread, log, work } = workplace();
    thread.noteRequest();
    const before = performance.now();
    await work("a", 4, 5);
    assert.ok(performance.now() - before > 10, "long work did not rest");
    assert.equal(log.length, 4);
  });

  it("asks only now and then", () => {
    let asked = 0;
    const pace = new Pace(
      new MainThread(() => {
        asked += 1;
        return 0;
      }),
    );
    for (let step = 0; step < 10_000; step += 1) {
      assert.equal(pace.spend(), undefined);
    }
    assert.equal(asked, 10);
    assert.equal(pace.spend(5_000), undefined);
    assert.equal(asked, 11);
  });
});
