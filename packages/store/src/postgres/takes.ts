import { toOperation } from "../operations/operation-row.ts";
import type { OperationRow } from "../operations/operation-row.ts";
import type { LeasedOperation, QueueRule, TakeRequest } from "../store.ts";
import { type Database, planOnce, type Sql } from "./database.ts";
import { takeOldest } from "./take-function.ts";

type TakenRow = OperationRow & { readonly time_left: number; readonly document_etag: string | null };

/** Without an id where nothing was ready. */
type OldestRow = Partial<TakenRow> & { readonly is_due: boolean };

interface Asking {
  readonly request: TakeRequest;
  readonly resolve: (leased: LeasedOperation | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Those who look for work in the same turn of the event loop ask for it together. So do those who look in one queue without
 * rules while others are asking, as most do.
 */
export class Takes {
  readonly #database: Database;
  readonly #lane: Sql;
  readonly #onFound: (resourceId: string, etag: string | null) => void;
  #asking: Asking[] = [];
  /** Those among them who look in one queue without rules. */
  readonly #askingOne: Asking[] = [];
  #isAskingOne = false;

  constructor(database: Database, onFound: (resourceId: string, etag: string | null) => void) {
    this.#database = database;
    this.#lane = database.lane(planOnce);
    this.#onFound = onFound;
  }

  take(request: TakeRequest): Promise<LeasedOperation | undefined> {
    return new Promise((resolve, reject) => {
      this.#asking.push({ request, resolve, reject });
      if (this.#asking.length === 1) {
        setImmediate(() => this.#askTogether());
      }
    });
  }

  #askTogether(): void {
    const { one = [], several = [] } = Object.groupBy(this.#asking, ({ request }) =>
      plainQueue(request) === undefined ? "several" : "one",
    );
    this.#asking = [];
    this.#askingOne.push(...one);
    void this.#askForOne();
    for (const together of alike(several)) {
      void this.#ask(together, (request) => this.#take(request, together.length));
    }
  }

  async #askForOne(): Promise<void> {
    if (this.#isAskingOne) {
      return;
    }
    this.#isAskingOne = true;
    while (this.#askingOne.length > 0) {
      for (const together of alike(this.#askingOne.splice(0))) {
        await this.#ask(together, (request) => this.#takeOldest(request, together.length));
      }
    }
    this.#isAskingOne = false;
  }

  async #ask(together: readonly Asking[], take: (request: TakeRequest) => Promise<readonly TakenRow[]>): Promise<void> {
    const [{ request }] = together as [Asking];
    try {
      const taken = await take(request);
      for (const [index, { resolve }] of together.entries()) {
        const row = taken[index];
        resolve(row && this.#leased(row, request.owner));
      }
    } catch (error) {
      together.forEach(({ reject }) => reject(error));
    }
  }

  async #takeOldest(request: TakeRequest, count: number): Promise<readonly TakenRow[]> {
    const values = [plainQueue(request), request.owner, request.leaseMs, count];
    const rows = await this.#lane.query<OldestRow>(takeOldest, values);
    const isDue = rows[0]?.is_due === true;
    return isDue
      ? await this.#take(request, count)
      : rows.filter((row): row is OldestRow & TakenRow => row.id !== null);
  }

  async #take({ queues, owner, leaseMs }: TakeRequest, count: number): Promise<readonly TakenRow[]> {
    const [row] = await this.#database.query<{ taken: readonly TakenRow[] }>(
      "SELECT radius_take($1::jsonb, $2, $3, $4) AS taken",
      [JSON.stringify(groupsOf(queues)), owner, leaseMs, count],
    );
    return row?.taken ?? [];
  }

  #leased(row: TakenRow, owner: string): LeasedOperation {
    this.#onFound(row.resource_id, row.document_etag);
    return {
      operation: toOperation(row),
      lease: { operationId: row.id, owner, fence: row.fence },
      timeLeftMs: row.time_left,
    };
  }
}

/** Queues that are looked at together: all those without rules of their own, or one that has some. */
interface QueueGroup {
  readonly names: readonly string[];
  readonly concurrency: number | undefined;
  readonly fifo: boolean;
}

function groupsOf(queues: readonly QueueRule[]): readonly QueueGroup[] {
  const groups = queues.map(({ name, concurrency, fifo = false }) => ({ names: [name], concurrency, fifo }));
  const free = groups.filter((group) => !isRuled(group)).flatMap(({ names }) => names);
  const ruled = groups.filter(isRuled);
  return free.length === 0 ? ruled : [{ names: free, concurrency: undefined, fifo: false }, ...ruled];
}

/** The queue that is looked at, if that is a single one without rules. */
function plainQueue({ queues }: TakeRequest): string | undefined {
  const [queue] = queues;
  return queue === undefined || queues.length > 1 || isRuled(queue) ? undefined : queue.name;
}

function alike(asking: readonly Asking[]): Iterable<readonly Asking[]> {
  return Map.groupBy(asking, ({ request }) => JSON.stringify(request)).values();
}

function isRuled({ concurrency, fifo = false }: Pick<QueueRule, "concurrency" | "fifo">): boolean {
  return concurrency !== undefined || fifo;
}
