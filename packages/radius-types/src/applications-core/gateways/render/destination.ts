import { ApiError, objectMember, ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { numberMember, sortedMembers } from "../../../rendering/members.ts";
import { labelName } from "../../../rendering/names.ts";
import type { RenderContext } from "../../../rendering/renderer.ts";

/** The Service that requests go to. */
export interface Destination {
  readonly service: string;
  readonly port: number;
}

/** Ids among the destinations: a container may be named by its id instead of a URL. */
export function isResourceId(destination: string): boolean {
  return destination.startsWith("/") && ResourceId.tryParse(destination) !== undefined;
}

/** @param usualPort of URLs that name none, where their scheme does not decide. */
export function readDestination(
  destination: string,
  dependencies: RenderContext["dependencies"],
  usualPort?: number,
): Destination {
  if (isResourceId(destination)) {
    return containerDestination(destination, dependencies);
  }
  const [, scheme = "", host = "", port] = /^(https?):\/\/([^/:?#@]+)(?::(\d+))?(?:[/?#]|$)/i.exec(destination) ?? [];
  if (host === "") {
    throw new ApiError(
      "BadRequest",
      `The route's destination '${destination}' is neither a URL such as http://web:3000 nor the id of a container.`,
      { target: "$.properties.routes" },
    );
  }
  const schemePort = scheme.toLowerCase() === "https" ? 443 : 80;
  const number = port === undefined ? (usualPort ?? schemePort) : Number(port);
  if (number < 1 || number > 65_535) {
    throw new ApiError("BadRequest", `The port ${number} of '${destination}' is not between 1 and 65535.`, {
      target: "$.properties.routes",
    });
  }
  return { service: labelName(host, "The destination host"), port: number };
}

function containerDestination(id: string, dependencies: RenderContext["dependencies"]): Destination {
  const container = dependencies.get(id.toLowerCase());
  const ports = container === undefined ? [] : portsOf(container.properties);
  const [port] = ports;
  if (container === undefined || port === undefined || ports.length > 1) {
    const name = ResourceId.parse(id).name;
    throw new ApiError(
      "BadRequest",
      ports.length > 1
        ? `'${id}' has several ports. Name one of them in the route's destination: http://${name}:${ports[0]}.`
        : `'${id}' has no port that requests could go to. Add one to the container's 'ports'.`,
      { target: "$.properties.routes" },
    );
  }
  return { service: labelName(container.id.name, "The container name"), port };
}

function portsOf(properties: JsonObject): number[] {
  return sortedMembers(objectMember(objectMember(properties, "container"), "ports")).flatMap(([, port]) => {
    const number = numberMember(port, "port") ?? numberMember(port, "containerPort");
    return number === undefined || port["protocol"] === "UDP" ? [] : [number];
  });
}
