import { murmur64 } from "./hash.ts";
import { UpperCaseBytes } from "./text/upper-case-bytes.ts";
import { escapeText } from "./values/json-printer.ts";

/** A template as any of our producers holds it: members in a map or in a plain object, integers of either kind. */
export type TemplateJson = string | bigint | number | boolean | null | readonly TemplateJson[] | TemplateObject;
export type TemplateObject = ReadonlyMap<string, TemplateJson> | { readonly [name: string]: TemplateJson };

/**
 * The hash that compilers write to `metadata._generator.templateHash`, in decimal. The template may already carry one,
 * which does not count; those of nested templates do.
 */
export function templateHash(template: TemplateObject): string {
  const out = new UpperCaseBytes();
  writeMembers(template, inOrder(namesOf(template), topOrder), out, (name) => topWriters.get(name) ?? writeAsIs);
  return murmur64(out.bytes()).toString();
}

/** Writes a part of the template on one line, with the members that have a fixed order in that order. */
type Writer = (value: TemplateJson, out: UpperCaseBytes) => void;

const topOrder = orderOf(
  "$schema languageVersion contentVersion imports extensions definitions parameters variables functions resources outputs metadata",
);
const parameterOrder = orderOf(
  "defaultValue allowedValues minLength maxLength minValue maxValue nullable type metadata",
);
const outputOrder = orderOf("copy nullable type value metadata");
const resourceOrder = orderOf(
  "import type apiVersion name existing location dependsOn plan tags sku kind zones identity properties scope metadata subscriptionId resourceGroup copy condition",
);
const functionParameterOrder = orderOf("name items type");

const topWriters: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ["parameters", eachMember(ordered(parameterOrder))],
  ["outputs", eachMember(ordered(outputOrder))],
  ["resources", writeResources],
  ["functions", writeFunctions],
  ["metadata", writeMetadata],
]);

function writeResources(resources: TemplateJson, out: UpperCaseBytes): void {
  if (isObject(resources) && namesOf(resources).length > 0) {
    eachMember(ordered(resourceOrder))(resources, out);
  } else {
    // An empty object reads like an empty array.
    eachItem(ordered(resourceOrder))(isObject(resources) ? [] : resources, out);
  }
}

function writeFunctions(functions: TemplateJson, out: UpperCaseBytes): void {
  const writeFunction = withMember("parameters", eachItem(ordered(functionParameterOrder)));
  eachItem(withMember("members", eachMember(writeFunction)))(functions, out);
}

function writeMetadata(metadata: TemplateJson, out: UpperCaseBytes): void {
  withMember("_generator", writeGenerator)(metadata, out);
}

function writeGenerator(generator: TemplateJson, out: UpperCaseBytes): void {
  if (isObject(generator)) {
    const names = namesOf(generator).filter((name) => name !== "templateHash");
    writeMembers(generator, names, out, () => writeAsIs);
  } else {
    writeAsIs(generator, out);
  }
}

function orderOf(names: string): ReadonlyMap<string, number> {
  return new Map(names.split(" ").map((name, index) => [name, index]));
}

/** Names that the order does not know come last. */
function inOrder(names: readonly string[], order: ReadonlyMap<string, number>): readonly string[] {
  const rank = (name: string): number => order.get(name) ?? order.size;
  return names.toSorted((left, right) => rank(left) - rank(right));
}

function ordered(order: ReadonlyMap<string, number>): Writer {
  return forObjects((value, out) => writeMembers(value, inOrder(namesOf(value), order), out, () => writeAsIs));
}

function eachMember(write: Writer): Writer {
  return forObjects((value, out) => writeMembers(value, namesOf(value), out, () => write));
}

function withMember(special: string, write: Writer): Writer {
  return forObjects((value, out) =>
    writeMembers(value, namesOf(value), out, (name) => (name === special ? write : writeAsIs)),
  );
}

function eachItem(write: Writer): Writer {
  return (value, out) => (isArray(value) ? writeItems(value, out, write) : writeAsIs(value, out));
}

/** What is no object where one belongs is written as it is; the hash is no place to complain. */
function forObjects(write: (value: TemplateObject, out: UpperCaseBytes) => void): Writer {
  return (value, out) => (isObject(value) ? write(value, out) : writeAsIs(value, out));
}

function writeAsIs(value: TemplateJson, out: UpperCaseBytes): void {
  if (typeof value === "string") {
    writeText(value, out);
  } else if (isArray(value)) {
    writeItems(value, out, writeAsIs);
  } else if (isObject(value)) {
    writeMembers(value, namesOf(value), out, () => writeAsIs);
  } else {
    out.write(`${value}`);
  }
}

function writeText(text: string, out: UpperCaseBytes): void {
  out.write('"');
  out.write(escapeText(text));
  out.write('"');
}

function writeItems(items: readonly TemplateJson[], out: UpperCaseBytes, write: Writer): void {
  out.write("[");
  for (const [index, item] of items.entries()) {
    out.write(index === 0 ? "" : ",");
    write(item, out);
  }
  out.write("]");
}

function writeMembers(
  object: TemplateObject,
  names: readonly string[],
  out: UpperCaseBytes,
  writerOf: (name: string) => Writer,
): void {
  let separator = "{";
  for (const name of names) {
    out.write(separator);
    writeText(name, out);
    out.write(":");
    writerOf(name)(member(object, name), out);
    separator = ",";
  }
  out.write(names.length === 0 ? "{}" : "}");
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

function isMap(object: TemplateObject): object is ReadonlyMap<string, TemplateJson> {
  return object instanceof Map;
}

function member(object: TemplateObject, name: string): TemplateJson {
  return (isMap(object) ? object.get(name) : object[name]) ?? null;
}
