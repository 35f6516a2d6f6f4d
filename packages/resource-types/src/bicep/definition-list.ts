import type { JsonObject } from "@rad/core";

/** A reference to a definition in the same file, as `{ "$ref": "#/3" }`. */
export type DefinitionRef = JsonObject;

/** The definitions of one `types.json`: a list whose members refer to each other by position. */
export class DefinitionList {
  readonly #items: JsonObject[] = [];
  readonly #positions = new Map<string, number>();

  get items(): JsonObject[] {
    return this.#items;
  }

  /** Adds a definition without a name; equal ones are stored once. */
  add(definition: JsonObject): DefinitionRef {
    const text = JSON.stringify(definition);
    let position = this.#positions.get(text);
    if (position === undefined) {
      position = this.#items.push(definition) - 1;
      this.#positions.set(text, position);
    }
    return refTo(position);
  }

  /** Adds a definition that is not known yet, because it may refer to itself. */
  reserve(): { readonly ref: DefinitionRef; readonly define: (definition: JsonObject) => void } {
    const position = this.#items.push({}) - 1;
    return {
      ref: refTo(position),
      define: (definition) => {
        this.#items[position] = definition;
      },
    };
  }
}

function refTo(position: number): DefinitionRef {
  return { $ref: `#/${position}` };
}
