import { ApiError, type JsonObject, type JsonValue } from "@rad/core";
import { memberOf, optionalText } from "./request-shape.ts";

/** What may be fetched, and how much of it. */
export interface LinkRules {
  /** Host names, with a port where it is not the usual one. A template must not make the server fetch from others. */
  readonly linkHosts: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

const maxBytes = 4 << 20;
const timeoutMs = 20_000;
const maxRedirects = 5;

/**
 * Fetches the JSON that a `templateLink` or `parametersLink` names.
 * @throws ApiError `InvalidContentLink` when the link is not allowed or cannot be read. Queries may carry tokens, so
 * messages leave them out.
 */
export async function readContentLink(link: JsonObject, path: string, rules: LinkRules): Promise<JsonObject> {
  const content = parse(await fetchText(linkedUrl(link, path), path, rules), path);
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

async function fetchText(first: URL, path: string, rules: LinkRules): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const { signal: given } = rules;
  const signal = given === undefined ? timeout : AbortSignal.any([timeout, given]);
  let url = first;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    checkAllowed(url, path, rules);
    const response = await attempt(url, path, () => fetch(url, { signal, redirect: "manual" }));
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) {
      return await attempt(url, path, () => readText(response, url, path));
    }
    await response.body?.cancel();
    url = redirected(url, location, path);
  }
  throw invalidLink(path, `${shown(first)} redirects more than ${maxRedirects} times.`);
}

function checkAllowed(url: URL, path: string, { linkHosts }: LinkRules): void {
  const allowed = linkHosts.some((host) => [url.host, url.hostname].includes(host.toLowerCase()));
  if (!allowed) {
    const message = `"${path}" names the host "${url.host}", which the configuration does not allow templates to be fetched from.`;
    throw invalidLink(path, message);
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    throw invalidLink(path, `${shown(url)} must be fetched by https.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw invalidLink(path, `"${path}.uri" must not hold a user name or a password.`);
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}

function redirected(from: URL, location: string, path: string): URL {
  const to = URL.parse(location, from);
  if (to === null || to.host !== from.host) {
    throw invalidLink(path, `${shown(from)} redirects to another host.`);
  }
  return to;
}

async function readText(response: Response, url: URL, path: string): Promise<string> {
  if (!response.ok) {
    throw invalidLink(path, `${shown(url)} answered with status ${response.status}.`);
  }
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw invalidLink(path, `${shown(url)} is larger than ${maxBytes} bytes.`);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

async function attempt<T>(url: URL, path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ApiError) {
      throw error;
    }
    throw invalidLink(path, `${shown(url)} cannot be read.`, error);
  }
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

function shown(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

function invalidLink(path: string, message: string, cause?: unknown): ApiError {
  return new ApiError("InvalidContentLink", message, { target: path, ...(cause === undefined ? {} : { cause }) });
}
