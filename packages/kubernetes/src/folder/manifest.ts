import { createHash } from "node:crypto";
import { isJsonObject } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { parseDocument, stringify } from "yaml";
import { checkObject } from "../check-object.ts";
import type { KubernetesObject } from "../kubernetes-object.ts";
import { isSecret } from "../secret-values.ts";
import { orderMembers } from "./order-members.ts";

/** The object of a file, and whether somebody has changed it since Radius wrote it, or wrote the file himself. */
export interface Manifest {
  readonly object: KubernetesObject;
  readonly isForeign: boolean;
}

const header = "# Written by Radius. Checksum of the object:";

/** What a folder keeps of an object: everything, but of a Secret the keys alone. */
export function keptOf(object: KubernetesObject): KubernetesObject {
  return orderMembers(isSecret(object) ? withoutValues(object) : object);
}

/** @param object as `keptOf` gives it */
export function printManifest(object: KubernetesObject): string {
  const note = isSecret(object) ? "# The values of this Secret are left out.\n" : "";
  // Other tools read YAML 1.1, where an unquoted `on` is a boolean.
  const text = stringify(object, { compat: "yaml-1.1", lineWidth: 0, aliasDuplicateObjects: false });
  return `${header} ${checksumOf(object)}\n${note}${text}`;
}

/** @throws Error that says why the text is no manifest of one object. */
export function parseManifest(text: string): Manifest {
  const document = parseDocument(text, { uniqueKeys: true });
  const [problem] = document.errors;
  if (problem !== undefined) {
    throw new Error(problem.message.split("\n")[0]?.replace(/:$/, "") ?? "it is not YAML");
  }
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  if (!isJsonObject(value)) {
    throw new Error("it holds no object");
  }
  checkObject(value);
  const object = orderMembers(value as KubernetesObject);
  const checksum = text.startsWith(header) ? text.slice(header.length).trimStart().split(/\s/, 1)[0] : undefined;
  return { object, isForeign: checksum !== checksumOf(object) };
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
