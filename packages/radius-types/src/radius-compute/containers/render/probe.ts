import { ApiError, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { listMember, textMember } from "../../../rendering/members.ts";

const actions = ["exec", "httpGet", "tcpSocket"];

const numbers = [
  "initialDelaySeconds",
  "terminationGracePeriodSeconds",
  "periodSeconds",
  "timeoutSeconds",
  "failureThreshold",
  "successThreshold",
];

/** @param target of the error: `$.properties.containers.web.readinessProbe` */
export function renderedProbe(probe: JsonObject, target: string): JsonObject {
  const [action, ...others] = actions.filter((name) => probe[name] !== undefined);
  if (action === undefined || others.length > 0) {
    throw refused("A probe needs exactly one of 'exec', 'httpGet' and 'tcpSocket'.", target);
  }
  if (target.endsWith("readinessProbe") && probe["terminationGracePeriodSeconds"] !== undefined) {
    throw refused("Only a liveness probe has 'terminationGracePeriodSeconds': a readiness probe ends nothing.", target);
  }
  return {
    [action]: action === "httpGet" ? httpGet(objectMember(probe, action), target) : (probe[action] ?? {}),
    ...Object.fromEntries(numbers.flatMap((name) => (probe[name] === undefined ? [] : [[name, probe[name] ?? 0]]))),
  };
}

function httpGet(get: JsonObject, target: string): JsonObject {
  const scheme = textMember(get, "scheme");
  const httpHeaders = listMember(get, "httpHeaders").map((header) => {
    const name = textMember(header, "name");
    if (name === undefined) {
      throw refused("A header of a probe needs a name.", `${target}.httpGet.httpHeaders`);
    }
    return { name, value: header["value"] ?? "" };
  });
  return {
    path: get["path"] ?? "/",
    port: get["port"] ?? 0,
    ...(httpHeaders.length === 0 ? {} : { httpHeaders }),
    ...(scheme === undefined ? {} : { scheme: scheme.toUpperCase() }),
  };
}

function refused(message: string, target: string): ApiError {
  return new ApiError("BadRequest", message, { target });
}
