import type { YamlRead } from "@rad/bicep";
import { parseDocument } from "yaml";

type YamlValue = Extract<YamlRead, { readonly value: unknown }>["value"];

/** Reads one YAML document; member names become text, integers keep all digits. */
export function readYaml(text: string): YamlRead {
  try {
    const document = parseDocument(text, { intAsBigInt: true, merge: true });
    const [error] = document.errors;
    if (error !== undefined) {
      return { error: firstLine(error.message) };
    }
    return { value: convert(document.toJS({ mapAsMap: true })) };
  } catch (error) {
    return { error: error instanceof Error ? firstLine(error.message) : "It cannot be read." };
  }
}

function convert(value: unknown): YamlValue {
  if (value instanceof Map) {
    return new Map(Array.from(value, ([name, member]: [unknown, unknown]) => [String(name), convert(member)]));
  }
  if (Array.isArray(value)) {
    return value.map(convert);
  }
  switch (typeof value) {
    case "string":
    case "bigint":
    case "number":
    case "boolean":
      return value;
    default:
      return value instanceof Date ? value.toISOString() : null;
  }
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? message;
}
