import { ArtifactError } from "@rad/artifacts";
import { createNetwork, displayUrl, fetchBytes, isLoopbackHost, isSuccess } from "@rad/artifacts/download";
import type { Answer } from "@rad/artifacts/download";
import { ApiError, type JsonObject, type JsonValue } from "@rad/core";
import { memberOf, optionalText } from "./request-shape.ts";

/** What may be fetched, and how much of it. */
export interface LinkRules {
  /** Host names; one without a port stands for all its ports. A template must not make the server fetch from others. */
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

async function fetchText(url: URL, path: string, { linkHosts, signal }: LinkRules): Promise<string> {
  if (url.username !== "" || url.password !== "") {
    throw invalidLink(path, `"${path}.uri" must not hold a user name or a password.`);
  }
  // Templates are not fetched from this machine unless they are said to be there.
  const network = createNetwork({ addresses: isLoopbackHost(url.hostname) ? "loopback" : "private" });
  const limits = { hosts: linkHosts, totalMs: timeoutMs, maxBytes, signal };
  let answer: Answer;
  try {
    answer = await fetchBytes(network, { url, redirects: { max: maxRedirects, to: "sameHost" }, ...limits });
  } catch (error) {
    throw error instanceof ArtifactError ? invalidLink(path, whyNot(error, url, path), error) : error;
  }
  if (!isSuccess(answer.status)) {
    throw invalidLink(path, `${displayUrl(url)} answered with status ${answer.status}.`);
  }
  return new TextDecoder().decode(answer.bytes);
}

function whyNot(error: ArtifactError, url: URL, path: string): string {
  switch (error.code) {
    case "HostRefused":
      return `"${path}" names the host "${url.host}", which the configuration does not allow templates to be fetched from.`;
    case "InvalidUrl":
      return `${displayUrl(url)} must be fetched by https.`;
    case "Unreachable":
    case "Interrupted":
    case "TimedOut":
    case "CertificateRefused":
      return `${displayUrl(url)} cannot be read.`;
    default:
      return error.message;
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

function invalidLink(path: string, message: string, cause?: unknown): ApiError {
  return new ApiError("InvalidContentLink", message, { target: path, ...(cause === undefined ? {} : { cause }) });
}
