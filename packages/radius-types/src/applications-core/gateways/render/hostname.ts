import { objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { textMember } from "../../../rendering/members.ts";
import type { PublicEndpoint } from "../../../rendering/renderer.ts";

export interface GatewayNames {
  readonly gateway: string;
  readonly application: string;
}

export interface PublicName {
  readonly fqdn: string;
  readonly url: string;
}

/** Under which name the gateway is reached, and the URL to give to people; `unknown` where nobody can tell. */
export function publicName(
  properties: JsonObject,
  { gateway, application }: GatewayNames,
  endpoint: PublicEndpoint | undefined,
): PublicName {
  const hostname = objectMember(properties, "hostname");
  const prefix = textMember(hostname, "prefix");
  const whole = textMember(hostname, "fullyQualifiedHostname");
  const named = (fqdn: string, port?: string): PublicName => {
    const lower = fqdn.toLowerCase();
    return { fqdn: lower, url: `${scheme(properties)}://${lower}${port === undefined ? "" : `:${port}`}` };
  };
  if (endpoint?.kind === "override") {
    return named(endpoint.host, endpoint.port);
  }
  if (whole !== undefined) {
    return named(whole);
  }
  switch (endpoint?.kind) {
    case "address":
      return named(`${prefix ?? gateway}.${application}.${endpoint.ip}.nip.io`);
    case "hostname":
      return named(prefix === undefined ? endpoint.hostname : `${prefix}.${endpoint.hostname}`);
    case undefined:
      return { fqdn: application.toLowerCase(), url: "unknown" };
    default:
      return endpoint satisfies never;
  }
}

function scheme(properties: JsonObject): "http" | "https" {
  const tls = objectMember(properties, "tls");
  return tls["sslPassthrough"] === true || textMember(tls, "certificateFrom") !== undefined ? "https" : "http";
}
