import { createHash } from "node:crypto";
import { hasMoreValues, isJsonObject } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { parseDocument, stringify } from "yaml";
import { checkObject } from "../check-object.ts";
import type { KubernetesObject } from "../kubernetes-object.ts";
import { isSecret, withoutCopies } from "../secret-values.ts";
import { orderMembers } from "./order-members.ts";

/** The object of a file, and whether somebody has changed it since Radius wrote it, or wrote the file himself. */
export interface Manifest {
  readonly object: KubernetesObject;
  readonly isForeign: boolean;
}

const header = "# Written by Radius. Checksum of the object:";

/** What a folder keeps of an object: everything, but of a Secret the keys alone. */
export function keptOf(object: KubernetesObject): KubernetesObject {
  return orderMembers(isSecret(object) ? withoutValues(withoutCopies(object)) : object);
}

/** @param object as `keptOf` gives it */
export function printManifest(object: KubernetesObject): string {
  const note = isSecret(object) ? "# The values of this Secret are left out.\n" : "";
  return `${header} ${checksumOf(object)}\n${note}${isLong(object) ? printJson(object) : printYaml(object)}`;
}

function printYaml(object: KubernetesObject): string {
  // Other tools read YAML 1.1, where an unquoted `on` is a boolean.
  return stringify(object, { compat: "yaml-1.1", lineWidth: 0, aliasDuplicateObjects: false });
}

/** JSON is YAML, too. */
function printJson(object: KubernetesObject): string {
  return `${JSON.stringify(object, null, 2)}\n`;
}

/** Whether YAML would take longer than a turn of the event loop may take: its library needs a while for each value. */
function isLong(object: KubernetesObject): boolean {
  return hasMoreValues(object, 2_000);
}

/** @throws Error that says why the text is no manifest of one object. */
export function parseManifest(text: string): Manifest {
  const value = parseJson(text) ?? parseYaml(text);
  if (!isJsonObject(value)) {
    throw new Error("it holds no object");
  }
  checkObject(value);
  const object = orderMembers(value as KubernetesObject);
  const checksum = text.startsWith(header) ? text.slice(header.length).trimStart().split(/\s/, 1)[0] : undefined;
  return { object, isForeign: checksum !== checksumOf(object) };
}

/** As `printJson` has written it below its comments; `undefined` for anything else. */
function parseJson(text: string): unknown {
  const json = text.replace(/^(?:#.*\n)*/, "");
  if (!text.startsWith(header) || !json.startsWith("{")) {
    return undefined;
  }
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function parseYaml(text: string): unknown {
  const document = parseDocument(text, { uniqueKeys: true });
  const [problem] = document.errors;
  if (problem !== undefined) {
    throw new Error(problem.message.split("\n")[0]?.replace(/:$/, "") ?? "it is not YAML");
  }
  return document.toJS({ maxAliasCount: 0 });
}

function withoutValues({ stringData, ...secret }: KubernetesObject): KubernetesObject {
  const keys = [secret["data"], stringData].flatMap((values) => (isJsonObject(values) ? Object.keys(values) : []));
  const data: JsonObject = Object.fromEntries(keys.map((key) => [key, ""]));
  return { ...secret, data };
}

/** Of the members in order: formatting and comments do not count. */
function checksumOf(object: KubernetesObject): string {
  return createHash("sha256").update(JSON.stringify(object)).digest("hex").slice(0, 16);
}
