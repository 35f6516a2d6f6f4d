import { isArray, isObject } from "@rad/templates";
import type { ObjectValue, Value } from "@rad/templates";
import type { Span } from "../diagnostic.ts";
import type { SourceFile } from "../semantics/index.ts";

/** Where something in a compiled template comes from. Lines and columns count from 1. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export type JsonPath = readonly (string | number)[];

/** The way back from a place in a compiled template to the text that it was compiled from, modules included. */
export interface SourceMap {
  /** The source of the value at a path, or else of the nearest value around it. */
  find(path: JsonPath): SourcePlace | undefined;
  /** Every value that has a source of its own, parents first. */
  entries(): Iterable<readonly [path: JsonPath, place: SourcePlace]>;
}

interface Origin {
  readonly file: SourceFile;
  readonly start: number;
}

/**
 * Collects origins while a template is built. They are kept by the container that holds a value, so that a module's
 * template carries its own origins wherever it is put.
 */
export class SourcePlaces {
  readonly #origins = new Map<object, Map<string | number, Origin>>();

  note(container: object, key: string | number, file: SourceFile, span: Span): void {
    let members = this.#origins.get(container);
    if (members === undefined) {
      members = new Map();
      this.#origins.set(container, members);
    }
    members.set(key, { file, start: span.start });
  }

  mapOf(template: ObjectValue): SourceMap {
    return {
      find: (path) => this.#find(template, path),
      entries: () => this.#entries(template, []),
    };
  }

  #find(template: ObjectValue, path: JsonPath): SourcePlace | undefined {
    let found: Origin | undefined;
    let at: Value | undefined = template;
    for (const key of path) {
      if (typeof at !== "object" || at === null) {
        break;
      }
      found = this.#origins.get(at)?.get(key) ?? found;
      at = childOf(at, key);
    }
    return found && placeOf(found);
  }

  *#entries(value: Value, path: JsonPath): Iterable<readonly [JsonPath, SourcePlace]> {
    if (typeof value !== "object" || value === null) {
      return;
    }
    const origins = this.#origins.get(value);
    for (const [key, member] of value.entries()) {
      const memberPath = [...path, key];
      const origin = origins?.get(key);
      if (origin !== undefined) {
        yield [memberPath, placeOf(origin)];
      }
      yield* this.#entries(member, memberPath);
    }
  }
}

function childOf(container: readonly Value[] | ObjectValue, key: string | number): Value | undefined {
  if (isArray(container)) {
    return typeof key === "number" ? container[key] : undefined;
  }
  return isObject(container) && typeof key === "string" ? container.get(key) : undefined;
}

function placeOf(origin: Origin): SourcePlace {
  const { line, column } = origin.file.syntax.lineMap.position(origin.start);
  return { file: origin.file.path, line, column };
}
