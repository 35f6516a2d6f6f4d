import type { Readable } from "node:stream";
import { withoutCredentials } from "@rad/core/without-credentials";
import type { PatternTrie } from "../redaction/pattern-trie.ts";
import { redactText, StreamRedactor } from "../redaction/stream-redactor.ts";
import type { RunEvent, RunLine } from "../run-event.ts";
import { logLevelOf, readTerraformLine, redactedEvent } from "./terraform-line.ts";

export interface OutputOptions {
  readonly stream: RunLine["stream"];
  readonly isJson: boolean;
  readonly patterns: PatternTrie;
  /** Terraform works on the state from here on. */
  readonly onWorking: () => void;
  /** Gets what arrived at once, in order. Reading goes on when it resolves. */
  readonly onOutput: (lines: readonly RunLine[], events: readonly RunEvent[]) => Promise<void>;
}

/** Longer lines are left out: a log is no place for them. Values of outputs are in one line. */
const maxLineLength = 1 << 24;
/** Of longer texts the server gets the beginning and the end: it logs them, and keeps many of them at once. */
const maxTextLength = 64 * 1024;

/**
 * Reads one output of Terraform and takes secrets out of it. Resolves when it has ended.
 *
 * Text is cleaned as it arrives, before it is divided into lines, as a secret may have several. A line of JSON is read
 * first and its texts are cleaned then: a secret such as `true` or `1234` would otherwise leave no JSON.
 */
export async function readOutput(source: Readable, options: OutputOptions): Promise<void> {
  const redactor = options.isJson ? undefined : new StreamRedactor(options.patterns);
  const decoder = new TextDecoder();
  const divider = new LineDivider();
  const accept = async (lines: readonly string[]): Promise<void> => {
    const output: Output = { lines: [], events: [] };
    for (const line of lines) {
      readLine(line, options, output);
    }
    if (output.lines.length > 0) {
      await options.onOutput(output.lines, output.events);
    }
  };
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    const text = decoder.decode(chunk, { stream: true });
    await accept(divider.push(redactor === undefined ? text : redactor.push(text)));
  }
  const rest = decoder.decode();
  await accept(divider.end(redactor === undefined ? rest : redactor.push(rest) + redactor.end()));
}

interface Output {
  readonly lines: RunLine[];
  readonly events: RunEvent[];
}

class LineDivider {
  #pieces: string[] = [];
  #length = 0;

  push(text: string): readonly string[] {
    const [first = "", ...others] = text.split("\n");
    this.#add(first);
    const lines: string[] = [];
    for (const next of others) {
      lines.push(this.#take());
      this.#add(next);
    }
    return lines;
  }

  end(text: string): readonly string[] {
    return [...this.push(text), this.#take()];
  }

  #add(piece: string): void {
    this.#length += piece.length;
    if (this.#length <= maxLineLength) {
      this.#pieces.push(piece);
    } else {
      this.#pieces = [];
    }
  }

  #take(): string {
    const line = this.#length > maxLineLength ? `(a line of ${this.#length} characters)` : this.#pieces.join("");
    this.#pieces = [];
    this.#length = 0;
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  }
}

function readLine(line: string, { stream, isJson, patterns, onWorking }: OutputOptions, output: Output): void {
  if (line.trim() === "") {
    return;
  }
  const read = isJson ? readTerraformLine(line) : undefined;
  if (read === undefined) {
    const text = shortened(withoutCredentials(isJson ? redactText(patterns, line) : line));
    output.lines.push({ stream, level: stream === "stdout" ? "info" : levelOf(text), text });
    return;
  }
  // Addresses may carry credentials that nobody has told us of.
  const redact = (text: string): string => shortened(withoutCredentials(redactText(patterns, text)));
  if (!read.isBeforeLock) {
    onWorking();
  }
  output.lines.push({ stream, level: read.level, text: redact(read.text) });
  if (read.event !== undefined) {
    output.events.push(redactedEvent(read.event, redact));
  }
}

function shortened(text: string): string {
  const left = text.length - maxTextLength;
  const half = maxTextLength / 2;
  return left <= 0 ? text : `${text.slice(0, half)} (… ${left} characters …) ${text.slice(-half)}`;
}

/**
 * Lines of `TF_LOG` say their level; others on stderr are about an error. Terraform writes `[ERROR]` lines in runs that
 * succeed, so they are warnings here: a run that fails is reported by its own error.
 */
function levelOf(line: string): RunLine["level"] {
  const level = logLevelOf(line);
  return level === undefined ? "error" : level === "error" || level === "warn" ? "warn" : "info";
}
