import { isJsonObject, type JsonObject, nearestName } from "@rad/core";
import type { Place } from "./place.ts";

/** Stands in for a value whose problem has been reported, so that reading can go on to the next one. */
export const invalid: unique symbol = Symbol("invalid");
type Read<T> = T | typeof invalid;

/** How one key is read, what it means, and what it is when nobody sets it. */
export interface Field<T> {
  /** For the reference page: the type in words, the default as it would be written, the meaning. */
  readonly type: string;
  readonly default: string;
  readonly doc: string;
  readonly members?: Fields;
  read(place: Place): Read<T>;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type ValueOf<F> = F extends Field<infer T> ? T : never;
type Values<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> };

/** Says what is wrong with a value, or nothing. It must not repeat the value. */
type Check<T> = (value: T) => string | undefined;

interface TextOptions {
  readonly default?: string;
  readonly mayBeEmpty?: boolean;
  readonly check?: Check<string>;
}

export function text(doc: string, options: TextOptions = {}): Field<string> {
  return scalar("text", doc, options.default, (place) => {
    const value = place.scalar;
    if (typeof value !== "string" || (value === "" && options.mayBeEmpty !== true)) {
      return wrongType(place, typeof value === "number" ? "text; put it in quotes" : "text");
    }
    return checked(place, value, options.check);
  });
}

/** Like `text`, with `${NAME}` replaced by that environment variable. */
export function textWithVariables(doc: string, options: TextOptions = {}): Field<string> {
  const plain = text(doc);
  return {
    ...plain,
    type: "text with ${VARIABLE}",
    read(place) {
      const template = plain.read(place);
      if (template === invalid) {
        return invalid;
      }
      const missing = new Set<string>();
      const value = template.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
        const found = place.source.env[name] ?? "";
        if (found === "") {
          missing.add(name);
        }
        return found;
      });
      for (const name of missing) {
        place.problem(`the environment variable ${name} is not set`);
      }
      return missing.size > 0 ? invalid : checked(place, value, options.check);
    },
  };
}

export function path(doc: string): Field<string> {
  const plain = text(doc);
  return {
    ...plain,
    type: "path",
    read(place) {
      const value = plain.read(place);
      return value === invalid ? invalid : place.source.resolvePath(place.node, value);
    },
  };
}

export function flag(doc: string, byDefault: boolean): Field<boolean> {
  return scalar("true or false", doc, byDefault, (place) => {
    const value = place.scalar;
    return typeof value === "boolean" ? value : wrongType(place, "true or false");
  });
}

interface NumberOptions {
  readonly default?: number;
  readonly min: number;
  readonly max: number;
}

export function integer(doc: string, options: NumberOptions): Field<number> {
  const { min, max } = options;
  const type = `whole number, ${min} to ${max}`;
  return scalar(type, doc, options.default, (place) => {
    const value = place.scalar;
    const fits = typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max;
    return fits ? value : wrongType(place, `a whole number from ${min} to ${max}`);
  });
}

export function number(doc: string, { min, max, default: byDefault }: NumberOptions): Field<number> {
  return scalar(`number, ${min} to ${max}`, doc, byDefault, (place) => {
    const value = place.scalar;
    return typeof value === "number" && value >= min && value <= max
      ? value
      : wrongType(place, `a number from ${min} to ${max}`);
  });
}

/** One of a few words, in any casing. */
export function choice<const T extends string>(doc: string, values: readonly T[], byDefault?: T): Field<T> {
  return scalar(values.join(" | "), doc, byDefault, (place) => {
    const value = place.scalar;
    const wanted = typeof value === "string" ? value.toLowerCase() : undefined;
    return values.find((known) => known.toLowerCase() === wanted) ?? wrongType(place, `one of ${values.join(", ")}`);
  });
}

/** Free-form members, kept as they are. */
export function record(doc: string): Field<JsonObject> {
  return {
    type: "object",
    default: "{}",
    doc,
    read(place) {
      if (place.isEmpty || place.node === undefined) {
        return {};
      }
      if (place.members === undefined) {
        return wrongType(place, "an object");
      }
      try {
        const value = place.source.plainValue(place.node);
        return isJsonObject(value) ? value : wrongType(place, "an object");
      } catch {
        place.problem("uses aliases to grow beyond all bounds");
        return invalid;
      }
    },
  };
}

export function list<T>(item: Field<T>): Field<readonly T[]> {
  return {
    type: `list of ${item.type}`,
    default: "[]",
    doc: item.doc,
    ...(item.members === undefined ? {} : { members: item.members }),
    read(place) {
      if (place.isEmpty) {
        return [];
      }
      const { items } = place;
      return items === undefined ? wrongType(place, "a list") : allValid(items.map((entry) => item.read(entry)));
    },
  };
}

/** A list that may be written as its only item. At least one is needed. */
export function oneOrMore<T>(item: Field<T>): Field<readonly T[]> {
  return {
    ...list(item),
    type: `${item.type}, or a list of it`,
    default: "",
    read(place) {
      const items = place.items ?? [place];
      return items.length === 0 ? wrongType(place, "a value") : allValid(items.map((entry) => item.read(entry)));
    },
  };
}

/** `undefined` when the file does not mention the key. */
export function optional<T>(field: Field<T>): Field<T | undefined> {
  return { ...field, default: "", read: (place) => (place.isEmpty ? undefined : field.read(place)) };
}

interface SectionOptions<F extends Fields> {
  /** Keys of other products' configuration files that an operator may bring along; the value says what to do. */
  readonly retired?: Readonly<Record<string, string>>;
  /** Looks at several members together. Members that have a problem of their own already are `undefined`. */
  readonly rule?: (values: Partial<Values<F>>, place: Place) => void;
}

export function section<const F extends Fields>(
  doc: string,
  members: F,
  options: SectionOptions<F> = {},
): Field<Values<F>> {
  return {
    type: "section",
    default: "",
    doc,
    members,
    read(place) {
      const before = place.source.problems.length;
      if (!place.isEmpty && place.members === undefined) {
        return wrongType(place, "a section with keys of its own");
      }
      reportUnknownKeys(place, Object.keys(members), options.retired ?? {});
      const values: Record<string, unknown> = {};
      for (const [key, field] of Object.entries(members)) {
        const value = field.read(place.member(key));
        if (value !== invalid) {
          values[key] = value;
        }
      }
      options.rule?.(values as Partial<Values<F>>, place);
      return place.source.problems.length > before ? invalid : (values as Values<F>);
    },
  };
}

function scalar<T extends string | number | boolean>(
  type: string,
  doc: string,
  byDefault: T | undefined,
  readPresent: (place: Place) => Read<T>,
): Field<T> {
  return {
    type,
    default: byDefault === undefined ? "" : JSON.stringify(byDefault),
    doc,
    read(place) {
      if (place.node === undefined) {
        return byDefault ?? missing(place);
      }
      return readPresent(place);
    },
  };
}

function reportUnknownKeys(place: Place, known: readonly string[], retired: Readonly<Record<string, string>>): void {
  for (const { key, name } of place.members ?? []) {
    if (known.includes(key)) {
      continue;
    }
    const shown = key.length > 80 ? `${key.slice(0, 80)}…` : key;
    if (Object.hasOwn(retired, key)) {
      name.problem(`the key "${shown}" has no meaning here and can be removed: ${retired[key]}`);
      continue;
    }
    const nearest = nearestName(key, known);
    name.problem(`the key "${shown}" is unknown${nearest === undefined ? "" : `; did you mean "${nearest}"?`}`);
  }
}

function checked<T>(place: Place, value: T, check: Check<T> | undefined): Read<T> {
  const fault = check?.(value);
  if (fault === undefined) {
    return value;
  }
  place.problem(fault);
  return invalid;
}

function wrongType(place: Place, wanted: string): typeof invalid {
  place.problem(`must be ${wanted}`);
  return invalid;
}

function missing(place: Place): typeof invalid {
  place.problem("is required");
  return invalid;
}

function allValid<T>(values: readonly Read<T>[]): Read<readonly T[]> {
  const valid: T[] = [];
  for (const value of values) {
    if (value === invalid) {
      return invalid;
    }
    valid.push(value);
  }
  return valid;
}
