import { type Connection, type Submittable, types } from "pg";
import { runMessage } from "./run-message.ts";

/** A statement that each connection prepares once, under its name. */
export class PreparedStatement {
  readonly name: string;
  readonly text: string;
  /** What it returns, once a connection has asked. */
  columns: readonly Column[] | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }
}

interface Column {
  readonly name: string;
  readonly read: (text: string) => unknown;
}

type Scalar = string | number | boolean | Date | null | undefined;

/** What may be given for a parameter. */
export type SqlValue = Scalar | readonly Scalar[];

/** The members of `pg`'s connection that its own queries use, too. */
interface Wire extends Connection {
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
}

type Callback = (error: Error | null | undefined, rows?: Record<string, unknown>[]) => void;

/**
 * One run of a prepared statement. A query of `pg` asks the database anew each time what the columns are, and makes an
 * emitter, a result and a parser for them, which takes longer than reading a row.
 */
export class PreparedQuery implements Submittable {
  readonly name: string;
  readonly text: string;
  /** The client replaces it when a query may take only so long. */
  callback: Callback;
  readonly #statement: PreparedStatement;
  readonly #values: readonly SqlValue[];
  readonly #rows: Record<string, unknown>[] = [];

  constructor(statement: PreparedStatement, values: readonly SqlValue[], callback: Callback) {
    this.name = statement.name;
    this.text = statement.text;
    this.callback = callback;
    this.#statement = statement;
    this.#values = values;
  }

  submit(connection: Connection): void {
    const wire = connection as Wire;
    const { name, text } = this;
    if (wire.parsedStatements[name] === undefined && wire.submittedNamedStatements[name] === undefined) {
      wire.parse({ name, text, types: [] }, true);
      wire.submittedNamedStatements[name] = text;
    }
    const asksForColumns = this.#statement.columns === undefined;
    wire.stream.write(runMessage(name, this.#values.map(toText), { asksForColumns }));
  }

  handleRowDescription({ fields }: { readonly fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#statement.columns = fields.map(({ name, dataTypeID }) => ({ name, read: readerOf(dataTypeID) }));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    const { columns = [] } = this.#statement;
    for (let index = 0; index < columns.length; index += 1) {
      const { name, read } = columns[index] as Column;
      const text = fields[index] ?? null;
      row[name] = text === null ? null : read(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback(null, this.#rows);
  }

  handleError(error: Error): void {
    this.callback(error);
  }
}

/** `pg` takes five times as long for a time, for the sake of forms that PostgreSQL gives only when told to. */
function readerOf(dataType: number): Column["read"] {
  const read = types.getTypeParser(dataType) as Column["read"];
  return dataType === timestamptz ? (text) => (inUtc.test(text) ? new Date(text) : read(text)) : read;
}

const timestamptz: number = types.builtins.TIMESTAMPTZ;

/** `2026-11-18 20:21:30.439+00`, which JavaScript reads, too. */
const inUtc = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00$/;

/** How a value is written for the database, which knows the type of each parameter. */
function toText(value: SqlValue): string | null {
  return isList(value) ? `{${value.map(toElement).join(",")}}` : scalarText(value);
}

function isList(value: SqlValue): value is readonly Scalar[] {
  return Array.isArray(value);
}

function scalarText(value: Scalar): string | null {
  if (value === null || value === undefined) {
    return null;
  }
  return value instanceof Date ? value.toISOString() : String(value);
}

const special = /["\\]/;
/** What JSON escapes besides, in ways that an array does not know. */
const unlikeJson = /[\p{Cc}\p{Cs}]/u;

function toElement(value: Scalar): string {
  const text = scalarText(value);
  if (text === null) {
    return "NULL";
  }
  if (!special.test(text)) {
    return `"${text}"`;
  }
  return unlikeJson.test(text) ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"` : JSON.stringify(text);
}
