import { createHash } from "node:crypto";
import type { ObjectName } from "../kubernetes-object.ts";

/** No namespace has an underscore in its name, so none can be taken for this folder. */
const clusterFolder = "_cluster";

/** Leaves room for what a temporary file has besides its name. File systems allow 255 bytes. */
const maxLength = 200;

/**
 * Where the file of an object may be, below the folder of manifests: `shop/deployment-web.yaml`; or
 * `shop/service-web_serving.knative.dev.yaml` when the first place belongs to an object of another group.
 */
export function placesOf(name: ObjectName): readonly [string, string] {
  const folder = name.namespace === undefined ? clusterFolder : encode(name.namespace);
  const base = `${encode(name.kind.toLowerCase())}-${encode(name.name)}`;
  const group = name.group === "" ? "core" : name.group.toLowerCase();
  return [`${folder}/${shorten(base)}.yaml`, `${folder}/${shorten(`${base}_${encode(group)}`)}.yaml`];
}

/**
 * Letters of one case, digits, dots and dashes stand for themselves, so that the name is also safe, and different from
 * others, where case does not count. Everything else, an underscore too, becomes `%5f`.
 */
function encode(part: string): string {
  return part
    .replaceAll(/[^a-z0-9.-]/gu, (character) => Buffer.from(character).toString("hex").replaceAll(/../g, "%$&"))
    .replace(/^\./, "%2e");
}

function shorten(base: string): string {
  if (base.length <= maxLength) {
    return base;
  }
  const digest = createHash("sha256").update(base).digest("hex").slice(0, 16);
  return `${base.slice(0, maxLength - digest.length - 2)}__${digest}`;
}
