import { parseBicep, parseParams } from "../syntax/index.ts";
import type { SyntaxFile } from "../syntax/index.ts";
import type { ReferenceProblem } from "../semantics/index.ts";
import type { BicepHost, FileRead } from "./host.ts";
import { extensionOf } from "./paths.ts";
import { problems } from "./problems.ts";
import { decodeText } from "./text.ts";

export interface CompilationLimits {
  /** Files of any kind, from templates to what functions load. */
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
  /** How many files may refer to one another in a chain. */
  readonly maxChain: number;
}

export const defaultLimits: CompilationLimits = {
  maxFiles: 10_000,
  maxFileBytes: 8 * 1024 * 1024,
  maxTotalBytes: 128 * 1024 * 1024,
  maxChain: 100,
};

/** How often the costly steps ran since the compilation was made. */
export interface CompilationCounters {
  readonly filesRead: number;
  readonly filesParsed: number;
  readonly filesChecked: number;
}

export interface ParsedSource {
  readonly syntax: SyntaxFile;
  /** Where the first bytes stand that are no UTF-8. */
  readonly invalidAt: number | undefined;
}

/** Reads each file once and keeps its bytes and its tree until told that it changed. */
export class SourceStore {
  readonly counters = { filesRead: 0, filesParsed: 0, filesChecked: 0 };
  readonly #host: BicepHost;
  readonly #limits: CompilationLimits;
  readonly #reads = new Map<string, FileRead>();
  readonly #trees = new Map<string, ParsedSource>();
  #totalBytes = 0;
  #fileCount = 0;
  #exceeded: ReferenceProblem | undefined;

  constructor(host: BicepHost, limits: CompilationLimits) {
    this.#host = host;
    this.#limits = limits;
  }

  /** Set from the first file on that was refused because of a limit on all files together. */
  get exceeded(): ReferenceProblem | undefined {
    return this.#exceeded;
  }

  read(path: string): FileRead {
    let read = this.#reads.get(path);
    if (read === undefined) {
      read = this.#admit(this.#host.readFile(path));
      this.#reads.set(path, read);
      this.counters.filesRead += 1;
    }
    return read;
  }

  /** The tree of a file that can be read. */
  parsed(path: string): ParsedSource | undefined {
    const known = this.#trees.get(path);
    if (known !== undefined) {
      return known;
    }
    const read = this.read(path);
    if (!("bytes" in read)) {
      return undefined;
    }
    const { text, hasInvalidBytes } = decodeText(read.bytes);
    const syntax = extensionOf(path) === ".bicepparam" ? parseParams(text) : parseBicep(text);
    this.counters.filesParsed += 1;
    const parsed = { syntax, invalidAt: hasInvalidBytes ? text.indexOf("\uFFFD") : undefined };
    this.#trees.set(path, parsed);
    return parsed;
  }

  forget(path: string): void {
    const read = this.#reads.get(path);
    if (read !== undefined && "bytes" in read) {
      this.#totalBytes -= read.bytes.length;
      this.#fileCount -= 1;
    }
    this.#reads.delete(path);
    this.#trees.delete(path);
    this.#exceeded = undefined;
  }

  #admit(read: FileRead): FileRead {
    if (!("bytes" in read)) {
      return read;
    }
    const { maxFileBytes, maxFiles, maxTotalBytes } = this.#limits;
    if (read.bytes.length > maxFileBytes) {
      return { problem: "tooLarge" };
    }
    if (this.#fileCount + 1 > maxFiles) {
      this.#exceeded ??= problems.tooManyFiles(maxFiles);
      return { problem: "tooLarge" };
    }
    if (this.#totalBytes + read.bytes.length > maxTotalBytes) {
      this.#exceeded ??= problems.tooManyBytes(maxTotalBytes);
      return { problem: "tooLarge" };
    }
    this.#fileCount += 1;
    this.#totalBytes += read.bytes.length;
    return read;
  }
}
