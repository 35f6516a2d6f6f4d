import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Limiter } from "@rad/core";
import { DatabaseError } from "pg";
import type { EventHub } from "../events.ts";
import { StoreError, type StoreEvent } from "../store.ts";
import { type Database, planOnce, type Sql } from "./database.ts";
import { isRace, translateState } from "./errors.ts";
import { Hints } from "./hints.ts";
import { isFollowed } from "./notifications.ts";
import { sendSwiftOperations } from "./swift-operations.ts";
import { isPlain, sendSwiftPuts, type SwiftPut, swiftPuts } from "./swift-puts.ts";
import type { WriteItem } from "./write-item.ts";
import { refusedState } from "./refused-state.ts";

/** A write that waits for its turn. */
export interface Turn {
  /** Called when the turn has come, and again when it has to be repeated. */
  readonly item: () => WriteItem;
  /** The operation under whose lease it is: such writes stay in their order. */
  readonly operationId: string | undefined;
  /** Of the documents that change, in lower case. */
  readonly types: readonly string[];
  /** Characters of text to store. */
  readonly size: number;
}

export interface Applied {
  readonly changes: readonly AppliedChange[];
  readonly events: readonly StoreEvent[];
  /** Something was stored that was not there before. */
  readonly isFurther: boolean;
}

/** A document that was put, or removed, or was not there to be removed. */
export interface AppliedChange {
  readonly id?: string;
  readonly type?: string;
  readonly etag?: string;
}

/** A write was refused, for a reason that its writer can tell more about. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly reason: string;
  readonly detail: unknown;

  constructor(reason: string, detail: string) {
    super(reason);
    this.reason = reason;
    this.detail = detail === "" ? undefined : (JSON.parse(detail) as unknown);
  }
}

type Answer = Applied | Refusal;

interface Refusal {
  readonly state: string;
  readonly message: string;
  readonly detail: string;
}

interface Waiting extends Turn {
  readonly resolve: (applied: Applied) => void;
  readonly reject: (error: unknown) => void;
}

/** One whose turn has come. */
interface Sending {
  readonly write: Waiting;
  readonly item: WriteItem;
}

/** More than 64 subtransactions make every reader of the database slower while they run. */
const mostTogether = 60;
const mostCharacters = 1_000_000;
/** How long writes that share a transaction wait for a lock; the one that would wait longer goes on alone. */
const patienceMs = 20;
const maxAttempts = 6;
const laneSettings = `SET lock_timeout = ${patienceMs}; ${planOnce}`;
const mostAlone = 4;

/**
 * Sends writes to the database, one transaction at a time: while it is on its way, others gather for the next. So a
 * single caller waits for one round trip, and many share the round trips and the commits.
 *
 *     waiting ──→ together ──→ answered
 *                    └── a lock is held elsewhere ──→ alone ──→ answered
 */
export class SharedWrites implements Disposable {
  readonly #database: Database;
  readonly #lane: Sql;
  readonly #events: EventHub;
  readonly #sender: string;
  readonly #hints: Hints;
  readonly #waiting: Waiting[] = [];
  readonly #alone = new Limiter(mostAlone);
  /** Operations with a write that goes alone: their others wait for it. */
  readonly #held = new Set<string>();
  #isSending = false;
  /** How many the last transaction had: their callers may be back soon. */
  #answered = 0;

  constructor(database: Database, events: EventHub, sender: string) {
    this.#database = database;
    this.#lane = database.lane(laneSettings);
    this.#events = events;
    this.#sender = sender;
    this.#hints = new Hints(database, sender);
  }

  /** @throws Refused, StoreError */
  run(turn: Turn): Promise<Applied> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...turn, resolve, reject });
      this.#sendNext();
    });
  }

  [Symbol.dispose](): void {
    this.#hints[Symbol.dispose]();
  }

  #sendNext(): void {
    if (this.#isSending) {
      return;
    }
    const together = this.#gather();
    if (together.length > 0) {
      this.#isSending = true;
      void this.#sendTogether(together).finally(() => {
        this.#isSending = false;
        this.#answered = together.length;
        this.#sendNext();
      });
    }
  }

  /**
   * Takes half of those that wait and those just answered. One that came first went off alone, and all who came meanwhile
   * would go together and be answered together, over and over: the database would rest while this process works for them,
   * and this process while the database does.
   */
  #gather(): readonly Waiting[] {
    const together: Waiting[] = [];
    let characters = 0;
    const left: Waiting[] = [];
    const most = Math.min(mostTogether, Math.ceil((this.#waiting.length + this.#answered) / 2));
    for (const [index, next] of this.#waiting.entries()) {
      const isFull = together.length === most || (together.length > 0 && characters > mostCharacters);
      if (isFull) {
        left.push(...this.#waiting.slice(index));
        break;
      }
      if (next.operationId !== undefined && this.#held.has(next.operationId)) {
        left.push(next);
      } else {
        together.push(next);
        characters += next.size;
      }
    }
    this.#waiting.splice(0, this.#waiting.length, ...left);
    return together;
  }

  async #sendTogether(together: readonly Waiting[]): Promise<void> {
    const sending = together.flatMap((write): Sending[] => {
      try {
        return [{ write, item: write.item() }];
      } catch (error) {
        write.reject(error);
        return [];
      }
    });
    const left = await this.#putSwiftly(sending);
    if (left.length > 0) {
      await this.#applyAll(left);
    }
  }

  /** @returns those for which it takes more than a single statement. */
  async #putSwiftly(sending: readonly Sending[]): Promise<readonly Sending[]> {
    const types = sending.flatMap(({ write }) => write.types);
    const isPossible = this.#database.keepsSessions && !types.some(isFollowed);
    const puts = isPossible ? swiftPuts(sending.map(({ item }) => item)) : undefined;
    if (puts === undefined) {
      return sending;
    }
    try {
      const stored = await this.#sendSwiftly(puts, types);
      return sending.filter(({ write }, index) => {
        const change = stored[index];
        if (change !== undefined) {
          this.#settle(write, { changes: [change], events: [], isFurther: true });
        }
        return change === undefined;
      });
    } catch (error) {
      if (concernsSome(error)) {
        return sending;
      }
      sending.forEach(({ write }) => write.reject(error));
      return [];
    }
  }

  async #sendSwiftly(
    puts: readonly SwiftPut[],
    types: readonly string[],
  ): Promise<readonly (AppliedChange | undefined)[]> {
    if (puts.every(isPlain)) {
      const stored = await sendSwiftPuts(this.#lane, puts);
      this.#hints.add(types);
      return stored;
    }
    const hints = this.#hints.with(types);
    const { changes, events } = await sendSwiftOperations(this.#lane, puts, { sender: this.#sender, hints });
    if (events.length > 0) {
      this.#hints.forget(hints);
    } else {
      this.#hints.add(types);
    }
    this.#events.emit(events);
    return changes;
  }

  async #applyAll(sending: readonly Sending[]): Promise<void> {
    let answers: readonly Answer[];
    try {
      answers = await this.#apply(this.#lane, sending, patienceMs);
    } catch (error) {
      if (sending.length > 1 && concernsSome(error)) {
        this.#separate(sending.map(({ write }) => write)); // most of them have nothing to do with it
      } else {
        sending.forEach(({ write }) => write.reject(error));
      }
      return;
    }
    const late: Waiting[] = [];
    for (const [index, { write }] of sending.entries()) {
      const answer = answers[index];
      if (answer !== undefined && "state" in answer && isRace(answer.state)) {
        late.push(write);
      } else {
        this.#settle(write, answer);
      }
    }
    this.#separate(late);
  }

  /** Each goes on alone; of an operation only the first, and the others come after it. */
  #separate(writes: readonly Waiting[]): void {
    const later: Waiting[] = [];
    for (const write of writes) {
      if (write.operationId !== undefined && this.#held.has(write.operationId)) {
        later.push(write);
      } else {
        void this.#goAlone(write);
      }
    }
    this.#waiting.unshift(...later);
  }

  /** Waits for locks as long as it takes, without keeping others from theirs. */
  async #goAlone(one: Waiting): Promise<void> {
    if (one.operationId !== undefined) {
      this.#held.add(one.operationId);
    }
    try {
      this.#settle(one, await this.#alone.run(() => this.#sendAlone(one)));
    } catch (error) {
      one.reject(error);
    } finally {
      if (one.operationId !== undefined) {
        this.#held.delete(one.operationId);
      }
      this.#sendNext();
    }
  }

  async #sendAlone(one: Waiting): Promise<Answer | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      const [answer] = await this.#apply(this.#database, [{ write: one, item: one.item() }], 0);
      if (answer === undefined || !("state" in answer) || !isRace(answer.state) || attempt === maxAttempts) {
        return answer;
      }
      await delay(randomInt(5 * 2 ** attempt));
    }
  }

  async #apply(sql: Sql, sending: readonly Sending[], patience: number): Promise<readonly Answer[]> {
    const types = sending.flatMap(({ write }) => write.types);
    const hints = this.#hints.with(types);
    const text = JSON.stringify(sending.map(({ item }) => item));
    const values = [text, patience, this.#sender, JSON.stringify(hints.events), types.some(isFollowed)];
    try {
      const [row] = await sql.query<{ result: { told: boolean; answers: readonly Answer[] } }>(
        "SELECT radius_write($1::jsonb, $2, $3, $4::jsonb, $5) AS result",
        values,
      );
      if (row?.result.told === true) {
        this.#hints.forget(hints);
      } else {
        this.#hints.add(types);
      }
      return row?.result.answers ?? [];
    } catch (error) {
      const refusal = refusalIn(error);
      if (sending.length > 1 || refusal === undefined) {
        throw error;
      }
      return [refusal];
    }
  }

  #settle(write: Waiting, answer: Answer | undefined): void {
    if (answer === undefined) {
      write.reject(new Error("A write has no answer."));
    } else if ("state" in answer) {
      const { state, message, detail } = answer;
      write.reject(state === refusedState ? new Refused(message, detail) : translateState(state, message));
    } else {
      const documents = answer.changes.flatMap(({ type }): StoreEvent[] =>
        type === undefined ? [] : [{ kind: "document", type: type.toLowerCase() }],
      );
      this.#events.emit([...documents, ...answer.events]);
      const removed = answer.changes.flatMap(({ type, etag }) =>
        type === undefined || etag !== undefined ? [] : [type],
      );
      this.#hints.add(removed.filter((type) => !isFollowed(type)));
      write.resolve(answer);
    }
  }
}

/** The database is there, and could not do what some of them asked, or not in time. */
function concernsSome(error: unknown): boolean {
  return !(error instanceof StoreError) || isRace(refusalIn(error)?.state ?? "");
}

/** What the database had against a write that it was sent alone. */
function refusalIn(error: unknown): Refusal | undefined {
  const cause = error instanceof StoreError ? error.cause : error;
  return cause instanceof DatabaseError
    ? { state: cause.code ?? "", message: cause.message, detail: cause.detail ?? "" }
    : undefined;
}
