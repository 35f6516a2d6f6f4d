import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { memberNode } from "./schema-node.ts";
import type { SchemaNode, Shape } from "./schema-node.ts";
import { shapeFor } from "./variants.ts";

/** Secret values by the JSON pointer (RFC 6901) of the place they were taken from. */
export type Secrets = Record<string, JsonValue>;

export interface SplitSecrets {
  /** What may be stored and shown: every secret is `null` in it. */
  readonly visible: JsonObject;
  readonly secrets: Secrets;
}

export function splitSecrets(root: Shape, properties: JsonObject): SplitSecrets {
  const secrets: Secrets = {};
  return { visible: splitObject(root, properties, "/properties", secrets), secrets };
}

/** Every text inside the secrets, for redaction. */
export function secretStrings(secrets: Readonly<Secrets>): string[] {
  const texts = new Set<string>();
  const waiting: JsonValue[] = Object.values(secrets);
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === "string") {
      texts.add(value);
    } else if (typeof value === "number") {
      texts.add(String(value));
    } else if (typeof value === "object" && value !== null) {
      for (const member of Object.values(value)) {
        waiting.push(member);
      }
    }
  }
  return [...texts];
}

function split(node: SchemaNode | undefined, value: JsonValue, pointer: string, secrets: Secrets): JsonValue {
  if (value === null || node === undefined) {
    return value;
  }
  if (node.sensitive) {
    secrets[pointer] = value;
    return null;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => split(node.shape.items, item, `${pointer}/${index}`, secrets));
  }
  return isJsonObject(value) ? splitObject(node.shape, value, pointer, secrets) : value;
}

function splitObject(shape: Shape, value: JsonObject, pointer: string, secrets: Secrets): JsonObject {
  const chosen = shapeFor(shape, value);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      split(memberNode(chosen, name), member, `${pointer}/${escape(name)}`, secrets),
    ]),
  );
}

function escape(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
