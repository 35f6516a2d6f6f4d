import type { JsonValue } from "@rad/core";
import { CliError } from "../cli-error.ts";
import type { CliHost } from "../host.ts";
import type { Column } from "./table-layout.ts";
import { alignColumns, tableLines } from "./table-layout.ts";

export type OutputFormat = "json" | "table";

/** What `-o` asks for; `own` is a format that only the command at hand has. */
interface ParsedFormat {
  readonly format: OutputFormat;
  readonly own: string | undefined;
}

/**
 * `plain-text` is an older name of `table`; case and surrounding blanks do not matter.
 * @param ownFormats of the command, besides those that every command has
 */
export function parseFormat(text: string, ownFormats: readonly string[] = []): ParsedFormat {
  const format = text.trim().toLowerCase();
  if (ownFormats.includes(format)) {
    return { format: "table", own: format };
  }
  switch (format) {
    case "":
    case "table":
    case "plain-text":
      return { format: "table", own: undefined };
    case "json":
      return { format: "json", own: undefined };
    default:
      throw new CliError(
        "InvalidOutputFormat",
        `unsupported output format "${text}", supported formats are: ${[...new Set(["json", "table", ...ownFormats])].join(", ")}`,
      );
  }
}

/** What a command says: its result on stdout, everything about getting there on stderr. */
export interface Output {
  readonly format: OutputFormat;
  /** Whether remarks and lines of success are left out. */
  readonly quiet: boolean;
  /** Whether any part of a result has been written. */
  readonly hasWritten: boolean;
  /** Raw text of the result. */
  write(text: string): void;
  /** A line that is the result, such as `… created`. Silenced by `--quiet`. */
  result(line: string): void;
  /** A remark on the way. Silenced by `--quiet`. */
  note(line: string): void;
  /** Shown with `--verbose` or `--debug` only. */
  debug(line: string): void;
  json(value: JsonValue | object): void;
  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Promise<void>;
  /** `json` in JSON format, `line` otherwise. */
  done(line: string, json: JsonValue | object): void;
}

export interface OutputOptions {
  readonly format: OutputFormat;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

export function createOutput(host: CliHost, options: OutputOptions): Output {
  const { format } = options;
  let hasWritten = false;
  const write = (text: string) => {
    hasWritten = true;
    host.stdout.write(text);
  };
  const json = (value: JsonValue | object) => write(`${JSON.stringify(value, undefined, 2)}\n`);
  const result = (line: string) => {
    if (!options.quiet) {
      write(`${line}\n`);
    }
  };
  return {
    format,
    quiet: options.quiet,
    get hasWritten() {
      return hasWritten;
    },
    write,
    result,
    json,
    note: (line) => {
      if (!options.quiet) {
        host.stderr.write(`${line}\n`);
      }
    },
    debug: (line) => {
      if (options.verbose) {
        host.stderr.write(`${line}\n`);
      }
    },
    table: async (columns, rows) => {
      const lines = tableLines(columns, rows);
      const text = lines.flat().every(isAscii)
        ? alignColumns(lines, (cell) => cell.length)
        : (await import("./table.ts")).renderTable(columns, rows);
      write(text);
    },
    done: (line, value) => {
      if (format === "json") {
        json(value);
      } else {
        result(line);
      }
    },
  };
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}
