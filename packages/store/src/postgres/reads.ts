import { documentColumns } from "../documents/document.ts";
import type { DocumentRow } from "../documents/document.ts";
import type { Sql } from "./database.ts";

interface Reading {
  readonly key: string;
  readonly resolve: (row: DocumentRow | undefined) => void;
  readonly reject: (error: unknown) => void;
}

type KeyedRow = DocumentRow & { readonly key: string };

/** Each may have megabytes. */
const mostTogether = 32;
const mostAtOnce = 2;

/** Reads documents: a single caller's at once, those of many callers several with one statement. */
export class Reads {
  readonly #sql: Sql;
  #waiting: Reading[] = [];
  #underWay = 0;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(key: string): Promise<DocumentRow | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      this.#readNext();
    });
  }

  #readNext(): void {
    if (this.#underWay < mostAtOnce && this.#waiting.length > 0) {
      this.#underWay += 1;
      void this.#read(this.#waiting.splice(0, mostTogether)).finally(() => {
        this.#underWay -= 1;
        this.#readNext();
      });
    }
  }

  async #read(together: readonly Reading[]): Promise<void> {
    try {
      const rows = await this.#rows(together.map(({ key }) => key));
      const byKey = new Map(rows.map((row) => [row.key, row]));
      together.forEach(({ key, resolve }) => resolve(byKey.get(key)));
    } catch (error) {
      together.forEach(({ reject }) => reject(error));
    }
  }

  async #rows(keys: readonly string[]): Promise<readonly KeyedRow[]> {
    return keys.length === 1
      ? await this.#sql.query(`SELECT key, ${documentColumns} FROM documents WHERE key = $1`, keys)
      : await this.#sql.query(`SELECT key, ${documentColumns} FROM documents WHERE key = ANY ($1::text[])`, [keys]);
  }
}
