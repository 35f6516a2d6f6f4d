import { murmur64 } from "./hash.ts";
import { encodeUtf8 } from "./text/bytes.ts";
import { toUpperInvariant } from "./text/letter-case.ts";
import { quoteText } from "./values/json-printer.ts";

/** A template as any of our producers holds it: members in a map or in a plain object, integers of either kind. */
export type TemplateJson = string | bigint | number | boolean | null | readonly TemplateJson[] | TemplateObject;
export type TemplateObject = ReadonlyMap<string, TemplateJson> | { readonly [name: string]: TemplateJson };

/**
 * The hash that compilers write to `metadata._generator.templateHash`, in decimal. The template may already carry one,
 * which does not count; those of nested templates do.
 */
export function templateHash(template: TemplateObject): string {
  return murmur64(encodeUtf8(toUpperInvariant(canonicalText(template)))).toString();
}

type Members = readonly (readonly [name: string, value: TemplateJson])[];
type Writer = (value: TemplateJson, parts: string[]) => void;

/** The template on one line, with the members of its own parts in a fixed order. */
function canonicalText(template: TemplateObject): string {
  const parts: string[] = [];
  writeObject(inOrder(membersOf(template), topOrder), parts, (name) => topWriters.get(name) ?? writeAsIs);
  return parts.join("");
}

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

function writeResources(resources: TemplateJson, parts: string[]): void {
  if (isMembers(resources) && membersOf(resources).length > 0) {
    eachMember(ordered(resourceOrder))(resources, parts);
  } else {
    // An empty object reads like an empty array.
    writeArray(isItems(resources) ? resources : [], parts, ordered(resourceOrder));
  }
}

function writeFunctions(functions: TemplateJson, parts: string[]): void {
  const writeFunction = withMember("parameters", (parameters, inner) =>
    writeArray(isItems(parameters) ? parameters : [], inner, ordered(functionParameterOrder)),
  );
  const writeNamespace = withMember("members", eachMember(writeFunction));
  writeArray(isItems(functions) ? functions : [], parts, writeNamespace);
}

function writeMetadata(metadata: TemplateJson, parts: string[]): void {
  withMember("_generator", (generator, inner) => {
    const members = isMembers(generator) ? membersOf(generator) : [];
    const kept = members.filter(([name]) => name !== "templateHash");
    writeObject(kept, inner, () => writeAsIs);
  })(metadata, parts);
}

function orderOf(names: string): ReadonlyMap<string, number> {
  return new Map(names.split(" ").map((name, index) => [name, index]));
}

/** Names that the order does not know come last. */
function inOrder(members: Members, order: ReadonlyMap<string, number>): Members {
  const rank = (name: string): number => order.get(name) ?? order.size;
  return members.toSorted(([left], [right]) => rank(left) - rank(right));
}

function ordered(order: ReadonlyMap<string, number>): Writer {
  return (value, parts) => {
    if (isMembers(value)) {
      writeObject(inOrder(membersOf(value), order), parts, () => writeAsIs);
    } else {
      writeAsIs(value, parts);
    }
  };
}

function eachMember(write: Writer): Writer {
  return (value, parts) => {
    if (isMembers(value)) {
      writeObject(membersOf(value), parts, () => write);
    } else {
      writeAsIs(value, parts);
    }
  };
}

function withMember(special: string, write: Writer): Writer {
  return (value, parts) => {
    if (isMembers(value)) {
      writeObject(membersOf(value), parts, (name) => (name === special ? write : writeAsIs));
    } else {
      writeAsIs(value, parts);
    }
  };
}

function writeObject(members: Members, parts: string[], writerOf: (name: string) => Writer): void {
  let separator = "{";
  for (const [name, value] of members) {
    parts.push(separator, quoteText(name), ":");
    writerOf(name)(value, parts);
    separator = ",";
  }
  parts.push(members.length === 0 ? "{}" : "}");
}

function writeArray(items: readonly TemplateJson[], parts: string[], write: Writer): void {
  parts.push("[");
  for (const [index, item] of items.entries()) {
    if (index > 0) {
      parts.push(",");
    }
    write(item, parts);
  }
  parts.push("]");
}

function writeAsIs(value: TemplateJson, parts: string[]): void {
  if (typeof value === "string") {
    parts.push(quoteText(value));
  } else if (isItems(value)) {
    writeArray(value, parts, writeAsIs);
  } else if (isMembers(value)) {
    writeObject(membersOf(value), parts, () => writeAsIs);
  } else {
    parts.push(`${value}`);
  }
}

function isItems(value: TemplateJson): value is readonly TemplateJson[] {
  return Array.isArray(value);
}

function isMembers(value: TemplateJson): value is TemplateObject {
  return typeof value === "object" && value !== null && !isItems(value);
}

function membersOf(object: TemplateObject): Members {
  return object instanceof Map ? [...object] : Object.entries(object);
}
