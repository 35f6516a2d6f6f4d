import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";

/** What a resource names as the other end of its edges: ids, or addresses with the name of a resource as their host. */
export function connectionSources(properties: JsonObject): string[] {
  return [...texts(properties["connections"], "source"), ...texts(properties["routes"], "destination")];
}

/** Some types have a list where others have a map. */
function texts(entries: JsonValue | undefined, member: string): string[] {
  const list = Array.isArray(entries) ? entries : isJsonObject(entries) ? Object.values(entries) : [];
  return list.flatMap((entry) => {
    const text = isJsonObject(entry) ? entry[member] : undefined;
    return typeof text === "string" ? [text] : [];
  });
}

/** The host in `http://web:3000`, `web:3000` or `web`, in lower case; `undefined` where there is none. */
export function hostIn(address: string): string | undefined {
  const isPath = address.startsWith("/") && !address.startsWith("//");
  if (isPath) {
    return undefined;
  }
  // A scheme without special rules keeps the host as it is, so it is folded here.
  const url = URL.parse(address.includes("//") ? address : `//${address}`, "http://host.invalid");
  return url === null || url.hostname === "" ? undefined : url.hostname.toLowerCase();
}
