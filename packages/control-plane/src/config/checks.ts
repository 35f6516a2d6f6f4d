import { ResourceId } from "@rad/core";

/** Checks on single values. Each says what is wrong, without repeating the value, or nothing. */

export function checkPathBase(value: string): string | undefined {
  return value === "" || /^(?:\/[\w.~-]+)+$/.test(value) ? undefined : 'must be empty or look like "/apis/example"';
}

export function checkUrlPath(value: string): string | undefined {
  return /^(?:\/[\w.~-]+)+$/.test(value) ? undefined : 'must look like "/metrics"';
}

export function checkPostgresUrl(value: string): string | undefined {
  const url = URL.parse(value);
  const known = url?.protocol === "postgres:" || url?.protocol === "postgresql:";
  return known ? undefined : "must be a URL that starts with postgresql://";
}

export function checkHttpUrl(value: string): string | undefined {
  const url = URL.parse(value);
  return url?.protocol === "http:" || url?.protocol === "https:" ? undefined : "must be an http or https URL";
}

export function checkHttpsUrl(value: string): string | undefined {
  return URL.parse(value)?.protocol === "https:" ? undefined : "must be an https URL";
}

/** Discovery over plain HTTP would let anybody on the way hand us keys of their own. */
export function checkIssuer(value: string): string | undefined {
  const url = URL.parse(value);
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    return "must be a URL without query, fragment or user";
  }
  const safe = url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname));
  return safe ? undefined : "must be an https URL (plain http is accepted for loopback addresses only)";
}

export function checkLinkHost(value: string): string | undefined {
  const url = URL.parse(`https://${value}`);
  return url?.host === value.toLowerCase()
    ? undefined
    : 'must be a host, with its port if need be: "templates.example.com"';
}

/** Upstream refuses a URL here, too. */
export function checkPublicEndpoint(value: string): string | undefined {
  const url = /^[^/@?#\s]+$/.test(value) ? URL.parse(`http://${value}`) : null;
  return url === null ? 'must be a host, with its port if need be: "localhost:8080"' : undefined;
}

export function checkSha256(value: string): string | undefined {
  return /^[0-9a-f]{64}$/i.test(value)
    ? undefined
    : "must be the 64 hexadecimal digits of a SHA-256, not the token itself";
}

export function checkName(value: string): string | undefined {
  return /^[\w.-]{1,128}$/.test(value) ? undefined : "must consist of letters, digits, dots, dashes and underscores";
}

export function checkPrefix(value: string): string | undefined {
  return /^[\w.-]{1,64}:$/.test(value) ? undefined : 'must be a word and a colon, as in "oidc:"';
}

export function checkPlaneId(value: string): string | undefined {
  const id = ResourceId.tryParse(value);
  const isPlane = id !== undefined && id.isUcp && id.kind === "scope" && id.scopes.length === 1;
  return isPlane ? undefined : 'must be the id of a plane, as in "/planes/radius/local"';
}

export function checkScope(value: string): string | undefined {
  return ResourceId.tryParse(value) === undefined ? 'must be an id, as in "/planes/radius/local", or "/"' : undefined;
}

export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, "");
  return name === "localhost" || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name);
}
