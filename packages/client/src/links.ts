import { ClientError } from "./client-error.ts";

/** Where the API begins below the endpoint; the same path that Kubernetes serves it under. */
export const basePath = "/apis/api.ucp.dev/v1alpha3";

/** @throws ClientError `InvalidEndpoint` unless `text` is a plain http(s) URL. */
export function parseEndpoint(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ClientError("InvalidEndpoint", `"${text}" is not an http or https URL.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new ClientError("InvalidEndpoint", "The endpoint must not contain a user name or password.");
  }
  if (url.search !== "" || url.hash !== "") {
    throw new ClientError("InvalidEndpoint", `"${text}" must not contain a query or a fragment.`);
  }
  return url;
}

/**
 * Turns a link from a response into a URL that is safe to send the token to: always on the endpoint's own origin.
 * A server behind a proxy writes its internal host into links, so a foreign host is replaced when the path is one of
 * ours, and refused otherwise.
 */
export function trustedLink(endpoint: URL, link: string): URL {
  const url = URL.parse(link, endpoint);
  if (url === null) {
    throw new ClientError("UntrustedLink", `The control plane sent a link that is not a URL: "${link.slice(0, 200)}".`);
  }
  const hasCredentials = url.username !== "" || url.password !== "";
  if (url.origin === endpoint.origin && !hasCredentials) {
    return url;
  }
  const start = url.pathname.indexOf(`${basePath}/`);
  const isOurs = start === 0 || (start > 0 && url.pathname.slice(0, start) === prefixOf(endpoint));
  if (!isOurs) {
    throw new ClientError(
      "UntrustedLink",
      `The control plane at ${endpoint.origin} sent a link to ${url.origin}, which was not followed.`,
    );
  }
  return new URL(`${prefixOf(endpoint)}${url.pathname.slice(start)}${url.search}`, endpoint.origin);
}

/** The URL of an API path such as `/planes/radius/local`. */
export function apiUrl(endpoint: URL, path: string, query: Readonly<Record<string, string>> = {}): URL {
  return serverUrl(endpoint, `${basePath}${encodePath(path)}`, query);
}

/** The URL of a path beside the API, such as `/readyz`. */
export function serverUrl(endpoint: URL, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(`${prefixOf(endpoint)}${path}`, endpoint.origin);
  if (url.origin !== endpoint.origin) {
    throw new ClientError("InvalidPath", `${JSON.stringify(path)} is not a path of ${endpoint.origin}.`);
  }
  return withQuery(url, query);
}

/**
 * The URL that somebody has typed: a path with its query and its own escapes, below the base path where it is an id, or a
 * link that this control plane sent.
 */
export function requestedUrl(endpoint: URL, typed: string): URL {
  if (/^https?:\/\//i.test(typed)) {
    return trustedLink(endpoint, typed);
  }
  const [path = ""] = typed.split(/[?#]/);
  const hasDots = path.split(/[/\\]/).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  // Two slashes, of either kind, would begin the name of another host. URLs ignore control characters, also between them.
  if (!/^\/(?![/\\])/.test(typed) || hasDots || /\p{Cc}/u.test(typed)) {
    throw new ClientError(
      "InvalidPath",
      `${JSON.stringify(typed)} is not a path: it must begin with one "/" and have no "." or ".." and no control characters.`,
    );
  }
  return serverUrl(endpoint, /^\/planes(?:[/?]|$)/i.test(typed) ? `${basePath}${typed}` : typed);
}

export function withQuery(url: URL, query: Readonly<Record<string, string>> = {}): URL {
  for (const [name, value] of Object.entries(query)) {
    url.searchParams.set(name, value);
  }
  return url;
}

/** What the endpoint itself has before the base path, when the API sits below a path of a shared host. */
function prefixOf(endpoint: URL): string {
  return endpoint.pathname.replace(/\/+$/, "");
}

/** Names come from users: a `?` or `#` in one must stay a name. A `..` cannot, since URLs give it a meaning. */
function encodePath(path: string): string {
  const segments = path.split("/");
  if (segments.some((segment) => segment === "." || segment === "..")) {
    throw new ClientError("InvalidPath", `"${path}" contains "." or ".." where a name belongs.`);
  }
  return segments.map(encodeURIComponent).join("/");
}
