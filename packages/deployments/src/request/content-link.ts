import type { JsonObject, JsonValue } from "@rad/core";
import { invalidLink } from "./invalid-link.ts";
import { memberOf, optionalText } from "./request-shape.ts";

/** What may be fetched, and how much of it. */
export interface LinkRules {
  /** Host names; one without a port stands for all its ports. A template must not make the server fetch from others. */
  readonly linkHosts: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Fetches the JSON that a `templateLink` or `parametersLink` names.
 * @throws ApiError `InvalidContentLink` when the link is not allowed or cannot be read. Queries may carry tokens, so
 * messages leave them out.
 */
export async function readContentLink(link: JsonObject, path: string, rules: LinkRules): Promise<JsonObject> {
  const url = linkedUrl(link, path);
  // Loaded only now: hardly any server allows links, and all would pay for it.
  const { fetchLinked } = await import("./fetch-linked.ts");
  const content = parse(await fetchLinked(url, path, rules), path);
  const wanted = optionalText(link, "contentVersion", path);
  const actual = memberOf(content, "contentVersion");
  if (wanted !== undefined && wanted !== actual) {
    throw invalidLink(path, `"${path}" wants the content version "${wanted}", but another one is there.`);
  }
  return content;
}

function linkedUrl(link: JsonObject, path: string): URL {
  if (memberOf(link, "id") !== undefined || memberOf(link, "relativePath") !== undefined) {
    throw invalidLink(path, `"${path}" must have a "uri": template specs and relative paths cannot be followed here.`);
  }
  const uri = optionalText(link, "uri", path);
  const url = uri === undefined ? null : URL.parse(uri);
  if (url === null) {
    throw invalidLink(path, `"${path}.uri" must be a complete address.`);
  }
  const query = optionalText(link, "queryString", path);
  if (query !== undefined) {
    url.search = query;
  }
  return url;
}

function parse(text: string, path: string): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    // The parser quotes the text, which may hold secrets.
    throw invalidLink(path, `What "${path}" leads to is not JSON.`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidLink(path, `What "${path}" leads to is not a JSON object.`);
  }
  return value;
}
