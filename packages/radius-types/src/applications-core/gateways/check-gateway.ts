import { ApiError, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { listMember, textMember } from "../../rendering/members.ts";
import { durationMs } from "./duration.ts";

/** What Contour and Envoy give a request that names no time. */
const usualRequestMs = 15_000;

/** Checks what the schema cannot say. @throws ApiError at the first problem. */
export function checkGateway(properties: JsonObject): void {
  const routes = listMember(properties, "routes");
  if (routes.length === 0) {
    throw refused("must have at least one route when declaring a Gateway resource", "$.properties.routes");
  }
  checkHostname(properties);
  checkTls(properties, routes);
  for (const [index, route] of routes.entries()) {
    checkTimeouts(objectMember(route, "timeoutPolicy"), `$.properties.routes[${index}].timeoutPolicy`);
  }
}

function checkHostname(properties: JsonObject): void {
  const { hostname } = properties;
  const given = objectMember(properties, "hostname");
  if (
    hostname !== undefined &&
    textMember(given, "prefix") === undefined &&
    textMember(given, "fullyQualifiedHostname") === undefined
  ) {
    throw refused(
      "must provide either prefix or fullyQualifiedHostname if hostname is specified",
      "$.properties.hostname",
    );
  }
}

function checkTls(properties: JsonObject, routes: readonly JsonObject[]): void {
  const tls = objectMember(properties, "tls");
  const hasCertificate = textMember(tls, "certificateFrom") !== undefined;
  if (tls["sslPassthrough"] === true) {
    if (hasCertificate) {
      throw refused(
        "Only one of $.properties.tls.certificateFrom and $.properties.tls.sslPassthrough can be specified at a time.",
        "$.properties.tls",
      );
    }
    if (routes.length > 1) {
      throw refused("cannot support multiple routes with sslPassthrough set to true", "$.properties.routes");
    }
    if (routes.some((route) => textMember(route, "path") ?? textMember(route, "replacePrefix"))) {
      throw refused(
        "cannot support `path` or `replacePrefix` in routes with sslPassthrough set to true",
        "$.properties.routes[0]",
      );
    }
  }
  // 1.2 is what the schema fills in, so it cannot be told from a version that nobody asked for.
  if (!hasCertificate && textMember(tls, "minimumProtocolVersion") === "1.3") {
    throw refused(
      "$.properties.tls.minimumProtocolVersion needs $.properties.tls.certificateFrom: without a certificate the gateway does not end TLS.",
      "$.properties.tls.minimumProtocolVersion",
    );
  }
}

function checkTimeouts(policy: JsonObject, target: string): void {
  const request = milliseconds(policy, "request", "invalid request timeout duration", target) ?? usualRequestMs;
  const backend = milliseconds(policy, "backendRequest", "invalid backend request timeout duration", target);
  if (backend !== undefined && backend > request) {
    throw refused("request timeout must be greater than or equal to backend request timeout", target);
  }
}

function milliseconds(policy: JsonObject, name: string, problem: string, target: string): number | undefined {
  const text = textMember(policy, name);
  const ms = text === undefined ? undefined : durationMs(text);
  if (text !== undefined && ms === undefined) {
    throw refused(problem, `${target}.${name}`);
  }
  return ms;
}

function refused(message: string, target: string): ApiError {
  return new ApiError("BadRequest", message, { target });
}
