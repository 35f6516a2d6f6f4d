import { documentColumns } from "../documents/document.ts";
import type { DocumentRow } from "../documents/document.ts";
import type { Database, Sql } from "./database.ts";

interface Reading {
  readonly key: string;
  readonly resolve: (row: DocumentRow | undefined) => void;
  readonly reject: (error: unknown) => void;
}

type KeyedRow = DocumentRow & { readonly key: string };

/** Each may have megabytes. */
const mostTogether = 32;
/** A large document is then on its way, which the others need not wait for. */
const longMs = 5;

/** Reads documents: a single caller's at once, those of many callers several with one statement. */
export class Reads {
  readonly #free: Sql[];
  readonly #waiting: Reading[] = [];
  #underWay = 0;
  #startedAt = 0;

  constructor(database: Database) {
    this.#free = [database.lane(), database.lane(), database.lane()];
  }

  get(key: string): Promise<DocumentRow | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      this.#readNext();
    });
  }

  #readNext(): void {
    const isTime = this.#underWay === 0 || performance.now() - this.#startedAt > longMs;
    const lane = isTime && this.#waiting.length > 0 ? this.#free.pop() : undefined;
    if (lane !== undefined) {
      this.#underWay += 1;
      this.#startedAt = performance.now();
      void this.#read(lane, this.#waiting.splice(0, mostTogether)).finally(() => {
        this.#underWay -= 1;
        this.#free.push(lane);
        this.#readNext();
      });
    }
  }

  async #read(lane: Sql, together: readonly Reading[]): Promise<void> {
    try {
      const rows = await rowsOf(
        lane,
        together.map(({ key }) => key),
      );
      const byKey = new Map(rows.map((row) => [row.key, row]));
      together.forEach(({ key, resolve }) => resolve(byKey.get(key)));
    } catch (error) {
      together.forEach(({ reject }) => reject(error));
    }
  }
}

async function rowsOf(sql: Sql, keys: readonly string[]): Promise<readonly KeyedRow[]> {
  return keys.length === 1
    ? await sql.query(`SELECT key, ${documentColumns} FROM documents WHERE key = $1`, keys)
    : await sql.query(`SELECT key, ${documentColumns} FROM documents WHERE key = ANY ($1::text[])`, [keys]);
}
