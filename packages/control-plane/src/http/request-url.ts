import { ApiError, ResourceId, withLowerCaseGroup } from "@rad/core";

/** Where the API lives when Kubernetes aggregates it; always accepted, besides no base path at all. */
const aggregatedBasePath = "/apis/api.ucp.dev/v1alpha3";

/** @param configured a further one, or nothing. */
export function basePathsOf(configured: string): readonly string[] {
  return [configured, aggregatedBasePath].filter((path) => path !== "");
}

export interface RequestUrl {
  /** What precedes the path that we serve; empty or one of the accepted base paths. */
  readonly basePath: string;
  readonly path: string;
  /** The path before it was decoded. */
  readonly rawPath: string;
  /** As it came, without the question mark. */
  readonly queryText: string;
}

// Control characters have no business in an id, and one of our databases could not even store NUL.
const controlCharacter = /\p{Cc}/u;

// Node takes any byte for a Latin-1 character, so that text which is not percent-encoded would be stored as another one.
const unencoded = /[^!-~]/;

/** @throws ApiError when the URL cannot be decoded or hides a separator inside a segment. */
export function readUrl(rawUrl: string, basePaths: readonly string[]): RequestUrl {
  if (unencoded.test(rawUrl)) {
    throw new ApiError("BadRequest", "The URL has bytes that must be percent-encoded.");
  }
  const mark = rawUrl.indexOf("?");
  const rawPath = mark === -1 ? rawUrl : rawUrl.slice(0, mark);
  const queryText = mark === -1 ? "" : rawUrl.slice(mark + 1);
  const lower = rawPath.toLowerCase();
  const basePath =
    basePaths.find((base) => lower === base.toLowerCase() || lower.startsWith(`${base.toLowerCase()}/`)) ?? "";
  const rest = rawPath.slice(basePath.length);
  if (queryText.includes("%")) {
    requireDecodable(queryText);
  }
  return { basePath, path: canonicalCase(rest.includes("%") ? decodePath(rest) : rest), rawPath: rest, queryText };
}

/** What there is to say on record about a URL that `readUrl` throws for. */
export function unreadableUrl(rawUrl: string): RequestUrl {
  const [path = ""] = rawUrl.split("?", 1);
  return { basePath: "", path, rawPath: path, queryText: "" };
}

function requireDecodable(queryText: string): void {
  try {
    decodeURIComponent(queryText);
  } catch (error) {
    throw new ApiError("BadRequest", "The URL's query is not properly encoded.", { cause: error });
  }
}

function decodePath(path: string): string {
  let decoded: string;
  try {
    decoded = path
      .split("/")
      .map((segment) => {
        const text = decodeURIComponent(segment);
        if (text.includes("/")) {
          throw new URIError("hidden separator");
        }
        return text;
      })
      .join("/");
  } catch (error) {
    throw new ApiError("BadRequest", "The URL's path is not properly encoded.", { cause: error });
  }
  if (controlCharacter.test(decoded)) {
    throw new ApiError("BadRequest", "The URL's path contains control characters.");
  }
  return decoded;
}

/** `planes` and the first `resourcegroups` come in many spellings and are returned in one. */
function canonicalCase(path: string): string {
  return path.replace(/^\/planes(?=\/|$)/i, "/planes").replace(/\/resourcegroups(?=\/|$)/i, "/resourcegroups");
}

export interface LinkSource {
  readonly referer: string | undefined;
  readonly host: string;
  readonly forwardedProto: string | undefined;
  readonly encrypted: boolean;
  readonly basePath: string;
}

/** How the caller spells the id and reaches us. */
export interface CallerView {
  readonly id: ResourceId;
  readonly linkBase: string;
}

/**
 * A proxy in front of us passes the original URL as `Referer`. It decides host and base path, but only if it names the
 * same resource: browsers send a `Referer` too, and that one is none of our business. For planes, groups and
 * registrations it decides the casing too; upstream overwrites it on the way to all other resources.
 */
export function callerView(id: ResourceId, source: LinkSource): CallerView {
  const referer = source.referer === undefined ? undefined : readReferer(source.referer);
  if (referer !== undefined && referer.id.equals(id)) {
    const scheme = source.forwardedProto ?? referer.scheme;
    return { id: isOwn(id) ? referer.id : id, linkBase: `${scheme}://${referer.host}${referer.basePath}` };
  }
  const scheme = source.forwardedProto ?? (source.encrypted ? "https" : "http");
  return { id, linkBase: `${scheme}://${source.host}${source.basePath}` };
}

/** Part of the fixed API: everything else belongs to a resource provider. */
function isOwn({ provider, namespace }: ResourceId): boolean {
  return provider === undefined || namespace.toLowerCase() === "system.resources";
}

interface Referer {
  readonly id: ResourceId;
  readonly scheme: string;
  readonly host: string;
  readonly basePath: string;
}

function readReferer(text: string): Referer | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return undefined;
  }
  const start = ["/planes/", "/subscriptions/"]
    .map((marker) => url.pathname.toLowerCase().indexOf(marker))
    .find((index) => index >= 0);
  if (start === undefined) {
    return undefined;
  }
  const id = ResourceId.tryParse(withLowerCaseGroup(url.pathname.slice(start).replace(/^\/planes/i, "/planes")));
  return id === undefined
    ? undefined
    : { id, scheme: url.protocol.slice(0, -1), host: url.host, basePath: url.pathname.slice(0, start) };
}
