import { ApiError } from "@rad/core";

/** What an RFC 1123 label is, for messages. */
export const labelRule = "at most 63 lower-case letters, digits and hyphens, with a letter or digit at both ends";

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Whether a text is an RFC 1123 label, as the names of namespaces and Services are. */
export function isLabel(text: string): boolean {
  return label.test(text);
}

/** Whether a text is an RFC 1123 subdomain, as the names of most other objects are. */
export function isSubdomain(text: string): boolean {
  return text.length <= 253 && subdomain.test(text);
}

/**
 * The name of an object in lower case. Nothing is cut off or replaced, so that two resources never share an object.
 * @param what names the bearer in the message: `The container name`.
 * @throws ApiError when it is no RFC 1123 label.
 */
export function labelName(name: string, what: string): string {
  const lower = name.toLowerCase();
  if (!isLabel(lower)) {
    throw refused(what, lower, `has ${labelRule}`);
  }
  return lower;
}

/** The same for objects whose names may have dots. @throws ApiError when it is no RFC 1123 subdomain. */
export function subdomainName(name: string, what: string): string {
  const lower = name.toLowerCase();
  if (!isSubdomain(lower)) {
    throw refused(
      what,
      lower,
      "has at most 253 letters, digits, hyphens and dots, and each part between dots starts and ends with a letter or digit",
    );
  }
  return lower;
}

function refused(what: string, name: string, rule: string): ApiError {
  const shown = name.length > 300 ? `${name.slice(0, 300)}…` : name;
  return new ApiError("BadRequest", `${what} '${shown}' cannot name a Kubernetes object: such a name ${rule}.`);
}
