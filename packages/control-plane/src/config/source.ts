import { dirname, resolve } from "node:path";
import { isAlias, isMap, isNode, LineCounter, parseDocument } from "yaml";
import type { Document, Node } from "yaml";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface SourceOptions {
  /** Shown in problems, and the folder that relative paths start from. */
  readonly file: string | undefined;
  readonly text: string;
  readonly env: Environment;
}

/** The parsed YAML with what laid over it, the problems found in it so far, and where each value came from. */
export class ConfigSource {
  readonly env: Environment;
  readonly #problems: { readonly path: string; readonly text: string }[] = [];
  readonly #replaced = new Set<string>();
  readonly #file: string | undefined;
  readonly #lines = new LineCounter();
  readonly #document: Document;
  readonly #origins = new Map<Node, string>();

  constructor(options: SourceOptions) {
    this.#file = options.file;
    this.env = options.env;
    this.#document = parseDocument(options.text, { lineCounter: this.#lines, prettyErrors: false });
    for (const fault of [...this.#document.errors, ...this.#document.warnings]) {
      // What follows the colon is an excerpt of the file, which may hold a secret.
      const text = fault.code === "DUPLICATE_KEY" ? "this key appears twice" : `not valid YAML: ${beforeColon(fault)}`;
      this.#problems.push({ path: "", text: `${this.#position(fault.pos[0])}: ${text}` });
    }
  }

  get problems(): readonly string[] {
    return this.#problems.map(({ text }) => text);
  }

  /** Whether anything that was laid over the file replaced a value of it. */
  get hasReplaced(): boolean {
    return this.#replaced.size > 0;
  }

  /** Those of the problems of `file` that do not show here because another source overrides the wrong value. */
  hiddenProblems(file: ConfigSource): readonly string[] {
    return file.#problems.filter(({ path }) => this.#replaced.has(path)).map(({ text }) => text);
  }

  /** Broken syntax leaves nothing to check; a duplicate key does not stand in the way of the other checks. */
  get isReadable(): boolean {
    return this.#document.errors.every((error) => error.code === "DUPLICATE_KEY");
  }

  get root(): Node | undefined {
    return this.#document.contents ?? undefined;
  }

  has(path: readonly string[]): boolean {
    return this.#document.hasIn(path);
  }

  /** Lays one value over the file. `origin` says in problems where it came from, in place of a line. */
  set(path: readonly string[], value: unknown, origin: string): void {
    const parent = this.#document.getIn(path.slice(0, -1), true);
    if (isNode(parent) && !isMap(parent) && !isEmptyScalar(parent)) {
      return; // reading reports the wrong type of the parent
    }
    if (this.has(path)) {
      this.#replaced.add(path.join("."));
    }
    const node = this.#document.createNode(value);
    this.#origins.set(node, origin);
    for (let depth = 1; depth < path.length; depth += 1) {
      const above = path.slice(0, depth);
      if (isEmptyScalar(this.#document.getIn(above, true))) {
        this.#document.setIn(above, this.#document.createNode({}));
      }
    }
    this.#document.setIn(path, node);
  }

  resolveAlias(node: Node): Node | undefined {
    return isAlias(node) ? node.resolve(this.#document) : node;
  }

  /** The plain value of a node whose shape is not ours to check. Throws when aliases blow it up. */
  plainValue(node: Node): unknown {
    return node.toJS(this.#document, { maxAliasCount: 100 });
  }

  /** Paths in the file start from its folder; paths from elsewhere from the working folder. */
  resolvePath(node: Node | undefined, path: string): string {
    const fromFile = this.#file !== undefined && node?.range !== undefined && node.range !== null;
    return fromFile ? resolve(dirname(this.#file ?? ""), path) : resolve(path);
  }

  report(node: Node | undefined, path: string, message: string): void {
    const origin = node === undefined ? undefined : this.#origins.get(node);
    const where = origin ?? this.#position(node?.range?.[0] ?? 0);
    this.#problems.push({ path, text: path === "" ? `${where}: ${message}` : `${where}: ${path}: ${message}` });
  }

  #position(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${this.#file ?? "configuration"}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  }
}

function isEmptyScalar(value: unknown): boolean {
  return isNode(value) && "value" in value && value.value === null;
}

function beforeColon(fault: Error): string {
  return fault.message.split(":")[0] ?? "";
}
