import { isMap, isNode, isScalar, isSeq } from "yaml";
import type { Node } from "yaml";
import type { ConfigSource } from "./source.ts";

/** One spot of the configuration: the key's path, what the file holds there (perhaps nothing), and where to complain. */
export class Place {
  readonly source: ConfigSource;
  readonly path: string;
  readonly node: Node | undefined;
  readonly #nearest: Node | undefined;

  constructor(source: ConfigSource, path: string, node: Node | undefined, nearest: Node | undefined) {
    this.source = source;
    this.path = path;
    this.node = node === undefined ? undefined : source.resolveAlias(node);
    this.#nearest = node ?? nearest;
  }

  static root(source: ConfigSource): Place {
    return new Place(source, "", source.root, undefined);
  }

  /** Absent, or a key with nothing behind it, as when all lines of a section are commented out. */
  get isEmpty(): boolean {
    return this.node === undefined || (isScalar(this.node) && this.node.value === null);
  }

  get scalar(): unknown {
    return isScalar(this.node) ? this.node.value : undefined;
  }

  /** The named members with the place of each value, and the key's own spot for complaints about the name. */
  get members(): { readonly key: string; readonly value: Place; readonly name: Place }[] | undefined {
    if (!isMap<unknown, Node | null>(this.node)) {
      return undefined;
    }
    return this.node.items.map((pair) => {
      // A key that was laid over the file is a plain string.
      const keyNode = isNode(pair.key) ? pair.key : undefined;
      const key = String(isScalar(keyNode) ? keyNode.value : pair.key);
      const name = new Place(this.source, this.path, keyNode, this.node);
      return { key, value: this.#below(this.#pathOf(key), pair.value ?? undefined, keyNode), name };
    });
  }

  get items(): Place[] | undefined {
    if (!isSeq<Node>(this.node)) {
      return undefined;
    }
    return this.node.items.map((item, index) => this.#below(`${this.path}[${index}]`, item, this.node));
  }

  /** The place of a member, whether or not the file mentions it. */
  member(key: string): Place {
    const found = this.members?.find((member) => member.key === key);
    return found?.value ?? this.#below(this.#pathOf(key), undefined, this.#nearest);
  }

  problem(message: string): void {
    this.source.report(this.#nearest, this.path, message);
  }

  #below(path: string, node: Node | undefined, nearest: Node | undefined): Place {
    return new Place(this.source, path, node, nearest ?? this.#nearest);
  }

  #pathOf(key: string): string {
    return this.path === "" ? key : `${this.path}.${key}`;
  }
}
