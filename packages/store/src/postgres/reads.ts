import { type Database, planOnce, type Sql } from "./database.ts";

/** Each row may have megabytes. */
const mostTogether = 32;

interface Reading<Row> {
  readonly key: string;
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads rows by their key: a single caller's at once, those of many callers several with one statement. */
export class Reads<Row extends object> {
  readonly #keyColumn: keyof Row & string;
  readonly #selectOne: string;
  readonly #selectSeveral: string;
  readonly #free: Sql[];
  readonly #waiting: Reading<Row>[] = [];
  #underWay = 0;
  #gathers = false;
  /** How many the last statement was for: as many callers may be back soon. */
  #together = 0;

  /** @param select without a condition; it returns the key, which is a text. */
  constructor(database: Database, select: string, keyColumn: keyof Row & string) {
    this.#selectOne = `${select} WHERE ${keyColumn} = $1`;
    this.#selectSeveral = `${select} WHERE ${keyColumn} = ANY ($1::text[])`;
    this.#keyColumn = keyColumn;
    this.#free = [database.lane(planOnce), database.lane(planOnce)];
  }

  get(key: string): Promise<Row | undefined> {
    if (key.includes("\0")) {
      return Promise.resolve(undefined); // PostgreSQL has no such text, and would refuse the whole statement
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      this.#readNext();
    });
  }

  /** Where there are several callers, all that this turn of the event loop asks for goes together. */
  #readNext(): void {
    if (this.#underWay === 0 && this.#together <= 1) {
      this.#readWaiting();
    } else if (!this.#gathers) {
      this.#gathers = true;
      setImmediate(() => {
        this.#gathers = false;
        this.#readWaiting();
      });
    }
  }

  #readWaiting(): void {
    const lane = this.#waiting.length > 0 ? this.#free.pop() : undefined;
    if (lane !== undefined) {
      this.#underWay += 1;
      const together = this.#waiting.splice(0, mostTogether);
      this.#together = together.length;
      void this.#read(lane, together).finally(() => {
        this.#underWay -= 1;
        this.#free.push(lane);
        this.#readWaiting();
      });
    }
  }

  async #read(lane: Sql, together: readonly Reading<Row>[]): Promise<void> {
    try {
      const [only] = together;
      if (together.length === 1 && only !== undefined) {
        const [row] = await lane.query<Row>(this.#selectOne, [only.key]);
        only.resolve(row);
        return;
      }
      const keys = together.map(({ key }) => key);
      const rows = await lane.query<Row>(this.#selectSeveral, [keys]);
      const byKey = new Map(rows.map((row) => [row[this.#keyColumn] as string, row]));
      together.forEach(({ key, resolve }) => resolve(byKey.get(key)));
    } catch (error) {
      together.forEach(({ reject }) => reject(error));
    }
  }
}
