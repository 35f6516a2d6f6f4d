import type { Node, Program } from "./nodes.ts";

/**
 * What is known about the nodes of one tree. An array by `id`: a map of all nodes of a file takes several times as long
 * to fill and to ask, and leaves its smaller forerunners to the garbage collector. Where few nodes have a value a map is
 * better: arrays with room for all are looked through by the garbage collector. Only ask about nodes of that tree.
 */
export class NodeTable<T> {
  readonly #values: (T | undefined)[] = [];

  constructor(program: Program) {
    this.#values.length = program.id + 1;
  }

  get(node: Node): T | undefined {
    return this.#values[node.id];
  }

  set(node: Node, value: T): void {
    this.#values[node.id] = value;
  }
}
