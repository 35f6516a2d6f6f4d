import { ApiError } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { sortedEntries } from "../../../rendering/sorted-entries.ts";
import type { ContainerProperties, Probe } from "./container-properties.ts";

export function probesOf({ container }: ContainerProperties): JsonObject {
  const { readinessProbe, livenessProbe } = container;
  return {
    ...(readinessProbe === undefined ? {} : { readinessProbe: probeOf(readinessProbe) }),
    ...(livenessProbe === undefined ? {} : { livenessProbe: probeOf(livenessProbe) }),
  };
}

function probeOf(probe: Probe): JsonObject {
  const { initialDelaySeconds = 0, failureThreshold = 3, periodSeconds = 10, timeoutSeconds = 5 } = probe;
  return {
    ...checkOf(probe),
    initialDelaySeconds: Math.trunc(initialDelaySeconds),
    failureThreshold: Math.trunc(failureThreshold),
    periodSeconds: Math.trunc(periodSeconds),
    timeoutSeconds: Math.trunc(timeoutSeconds),
  };
}

function checkOf({ kind, containerPort = 0, path = "", headers = {}, command = "" }: Probe): JsonObject {
  switch (kind) {
    case "httpGet": {
      const httpHeaders = sortedEntries(headers).map(([name, value]) => ({ name, value }));
      return { httpGet: { path, port: containerPort, ...(httpHeaders.length === 0 ? {} : { httpHeaders }) } };
    }
    case "tcp":
      return { tcpSocket: { port: containerPort } };
    case "exec":
      // There is no shell, so there is nothing to quote with either.
      return { exec: { command: command.split(" ") } };
    default:
      throw new ApiError("BadRequest", `health probe kind unsupported: ${kind}`);
  }
}
