import { Budget } from "./budget.ts";
import { murmur64 } from "./hash.ts";
import type { Pausing } from "./pausing.ts";
import { encodeUtf8 } from "./text/bytes.ts";
import { toUpperInvariant } from "./text/letter-case.ts";
import { TextPieces } from "./text/text-pieces.ts";
import { escapeText } from "./text/escape-text.ts";

/** A template as any of our producers holds it: members in a map or in a plain object, integers of either kind. */
export type TemplateJson = string | bigint | number | boolean | null | readonly TemplateJson[] | TemplateObject;
export type TemplateObject = ReadonlyMap<string, TemplateJson> | { readonly [name: string]: TemplateJson };

/**
 * The hash that compilers write to `metadata._generator.templateHash`, in decimal. The template may already carry one,
 * which does not count; those of nested templates do.
 */
export function* templateHash(template: TemplateObject): Pausing<string> {
  const out = new HashedText();
  yield* written(writeTemplate(template, out));
  return murmur64(encodeUtf8(toUpperInvariant(out.text()))).toString();
}

/** JSON on one line. Members of the same name are frequent, so how they begin is made once. */
class HashedText extends TextPieces {
  /** Counts what is written, so that a large template is written with pauses. */
  readonly budget = new Budget(Infinity);
  readonly #starts = { "{": new Map<string, string>(), ",": new Map<string, string>() };

  /** The start of a member up to its value; the first one opens the object. */
  addName(opening: "{" | ",", name: string): void {
    const starts = this.#starts[opening];
    let text = starts.get(name);
    if (text === undefined) {
      text = `${opening}"${escapeText(name)}":`;
      starts.set(name, text);
    }
    this.add(text);
  }
}

/**
 * Writes a part of the template on one line, its members in the order that the hash gives them. What has parts is
 * written with pauses.
 */
type Writer = (value: TemplateJson, out: HashedText) => Pausing<void> | undefined;
type Writers = ReadonlyMap<string, Writer>;
type Order = ReadonlyMap<string, number>;

const templateOrder = orderOf(
  "$schema languageVersion contentVersion imports extensions definitions parameters variables functions resources outputs metadata",
);
const resourceOrder = orderOf(
  "import extension type apiVersion name existing location dependsOn plan tags sku kind zones identity properties scope metadata subscriptionId resourceGroup copy condition",
);

const constraints =
  "allowedValues minLength maxLength minValue maxValue nullable prefixItems items properties additionalProperties discriminator";
const typeOrder = orderOf(`$ref type metadata ${constraints}`);
const parameterOrder = orderOf(`defaultValue ${constraints} $ref type metadata`);
const outputOrder = orderOf(`copy ${constraints} $ref type value metadata`);
const functionParameterOrder = orderOf(`name ${constraints} $ref type metadata`);

/** Types within a type have the order of a definition wherever they stand. */
const typeWriters: Writers = new Map<string, Writer>([
  ["items", writeType],
  ["additionalProperties", writeType],
  ["prefixItems", eachItem(writeType)],
  ["properties", eachMember(writeType)],
  ["discriminator", members(new Map([["mapping", eachMember(writeType)]]))],
]);

const functionWriters: Writers = new Map<string, Writer>([
  ["parameters", eachItem(members(typeWriters, functionParameterOrder))],
  ["output", members(typeWriters, outputOrder)],
]);

const templateWriters: Writers = new Map<string, Writer>([
  ["definitions", eachMember(writeType)],
  ["parameters", eachMember(members(typeWriters, parameterOrder))],
  ["functions", eachItem(members(new Map([["members", eachMember(members(functionWriters))]])))],
  ["resources", writeResources],
  ["outputs", eachMember(members(typeWriters, outputOrder))],
  ["metadata", members(new Map([["_generator", writeGenerator]]))],
]);

const writeTypeMembers = members(typeWriters, typeOrder);
const writeTemplate = members(templateWriters, templateOrder);

function writeType(type: TemplateJson, out: HashedText): Pausing<void> | undefined {
  return writeTypeMembers(type, out);
}

/** An empty object of resources reads like an empty array. */
function writeResources(resources: TemplateJson, out: HashedText): Pausing<void> | undefined {
  const write = members(new Map(), resourceOrder);
  return isObject(resources) && namesOf(resources).length > 0
    ? eachMember(write)(resources, out)
    : eachItem(write)(isObject(resources) ? [] : resources, out);
}

function writeGenerator(generator: TemplateJson, out: HashedText): Pausing<void> | undefined {
  if (!isObject(generator)) {
    return writeAsIs(generator, out);
  }
  const names = namesOf(generator).filter((name) => name !== "templateHash");
  return writeMembers({ object: generator, names, writerOf: asIs }, out);
}

function* written(parts: Pausing<void> | undefined): Pausing<void> {
  if (parts !== undefined) {
    yield* parts;
  }
}

function orderOf(names: string): Order {
  return new Map(names.split(" ").map((name, index) => [name, index]));
}

/** Names that the order does not know come last, as they stand. */
function inOrder(names: readonly string[], order: Order): readonly string[] {
  const rank = (name: string): number => order.get(name) ?? order.size;
  let before = 0;
  for (const name of names) {
    const at = rank(name);
    if (at < before) {
      return names.toSorted((left, right) => rank(left) - rank(right));
    }
    before = at;
  }
  return names;
}

/** An object with a writer for some of its members and, where given, a fixed order. */
function members(writers: Writers, order?: Order): Writer {
  const writerOf = (name: string): Writer => writers.get(name) ?? writeAsIs;
  return (value, out) => {
    if (!isObject(value)) {
      // What is no object where one belongs is written as it is; the hash is no place to complain.
      return writeAsIs(value, out);
    }
    const names = order === undefined ? namesOf(value) : inOrder(countedNames(value), order);
    return writeMembers({ object: value, names, writerOf }, out);
  };
}

/** A value or a default that is null counts as absent. */
function countedNames(object: TemplateObject): readonly string[] {
  const isAbsent = (name: string): boolean =>
    (name === "value" || name === "defaultValue") && member(object, name) === null;
  const names = namesOf(object);
  return names.some(isAbsent) ? names.filter((name) => !isAbsent(name)) : names;
}

function eachMember(write: Writer): Writer {
  return (value, out) =>
    isObject(value)
      ? writeMembers({ object: value, names: namesOf(value), writerOf: () => write }, out)
      : writeAsIs(value, out);
}

function eachItem(write: Writer): Writer {
  return (value, out) => (isArray(value) ? writeItems(value, write, out) : writeAsIs(value, out));
}

function writeAsIs(value: TemplateJson, out: HashedText): Pausing<void> | undefined {
  if (typeof value === "string") {
    out.addQuoted(value);
    return undefined;
  }
  if (isArray(value)) {
    return writeItems(value, writeAsIs, out);
  }
  if (isObject(value)) {
    return writeObject(value, out);
  }
  out.add(`${value}`);
  return undefined;
}

/** Nearly all objects are maps whose members stand in the order that counts. */
function* writeObject(object: TemplateObject, out: HashedText): Pausing<void> {
  if (!isMap(object) || object.size === 0) {
    yield* writeMembers({ object, names: namesOf(object), writerOf: asIs }, out);
    return;
  }
  let opening: "{" | "," = "{";
  for (const [name, value] of object) {
    out.addName(opening, name);
    const parts = writeAsIs(value, out);
    if (parts !== undefined) {
      yield* parts;
    }
    opening = ",";
  }
  out.add("}");
}

function asIs(): Writer {
  return writeAsIs;
}

function* writeItems(items: readonly TemplateJson[], write: Writer, out: HashedText): Pausing<void> {
  const { budget } = out;
  let separator = "[";
  for (const item of items) {
    budget.spend(1);
    if (budget.isDue) {
      yield budget;
    }
    out.add(separator);
    const parts = write(item, out);
    if (parts !== undefined) {
      yield* parts;
    }
    separator = ",";
  }
  out.add(items.length === 0 ? "[]" : "]");
}

interface MembersToWrite {
  readonly object: TemplateObject;
  readonly names: readonly string[];
  readonly writerOf: (name: string) => Writer;
}

function* writeMembers({ object, names, writerOf }: MembersToWrite, out: HashedText): Pausing<void> {
  const { budget } = out;
  let opening: "{" | "," = "{";
  for (const name of names) {
    budget.spend(3);
    if (budget.isDue) {
      yield budget;
    }
    out.addName(opening, name);
    const parts = writerOf(name)(member(object, name), out);
    if (parts !== undefined) {
      yield* parts;
    }
    opening = ",";
  }
  out.add(names.length === 0 ? "{}" : "}");
}

function isArray(value: TemplateJson): value is readonly TemplateJson[] {
  return Array.isArray(value);
}

function isObject(value: TemplateJson): value is TemplateObject {
  return typeof value === "object" && value !== null && !isArray(value);
}

function namesOf(object: TemplateObject): string[] {
  return isMap(object) ? [...object.keys()] : Object.keys(object);
}

function member(object: TemplateObject, name: string): TemplateJson {
  return (isMap(object) ? object.get(name) : object[name]) ?? null;
}

function isMap(object: TemplateObject): object is ReadonlyMap<string, TemplateJson> {
  return object instanceof Map;
}
