import { toOperation } from "../operations/operation-row.ts";
import type { OperationRow } from "../operations/operation-row.ts";
import type { LeasedOperation, QueueRule, TakeRequest } from "../store.ts";
import type { Sql } from "./database.ts";

type TakenRow = OperationRow & { readonly time_left: number; readonly document_etag: string | null };

interface Asking {
  readonly request: TakeRequest;
  readonly resolve: (leased: LeasedOperation | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Those who look for work in the same turn of the event loop ask for it together. */
export class Takes {
  readonly #sql: Sql;
  readonly #onFound: (resourceId: string, etag: string | null) => void;
  #asking: Asking[] = [];

  constructor(sql: Sql, onFound: (resourceId: string, etag: string | null) => void) {
    this.#sql = sql;
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
    const alike = Map.groupBy(this.#asking, ({ request }) => JSON.stringify(request));
    this.#asking = [];
    for (const together of alike.values()) {
      void this.#ask(together);
    }
  }

  async #ask(together: readonly Asking[]): Promise<void> {
    const [{ request }] = together as [Asking];
    try {
      const [row] = await this.#sql.query<{ taken: readonly TakenRow[] }>(
        "SELECT radius_take($1::jsonb, $2, $3, $4) AS taken",
        [JSON.stringify(groupsOf(request.queues)), request.owner, request.leaseMs, together.length],
      );
      for (const [index, { resolve }] of together.entries()) {
        const taken = row?.taken[index];
        resolve(taken && this.#leased(taken, request.owner));
      }
    } catch (error) {
      together.forEach(({ reject }) => reject(error));
    }
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

function isRuled({ concurrency, fifo }: QueueGroup): boolean {
  return concurrency !== undefined || fifo;
}
