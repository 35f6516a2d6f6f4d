import { isJsonObject, type JsonValue, objectMember } from "@rad/core";
import type { CallOptions, ObjectTarget } from "@rad/kubernetes";
import type { PublicEndpoint } from "@rad/radius-types";

const contour = { group: "", kind: "Service", namespace: "radius-system", name: "contour-envoy" };

/** Where gateways are reached: at the configured place, or else at the load balancer of Contour; perhaps nowhere. */
export async function publicEndpointOf(
  configured: string | undefined,
  target: () => Promise<ObjectTarget>,
  options: CallOptions,
): Promise<PublicEndpoint | undefined> {
  if (configured !== undefined) {
    const { hostname, port } = new URL(`http://${configured}`);
    // The port of the scheme would be dropped by the parser.
    const given = /:(\d+)$/.exec(configured)?.[1];
    return { kind: "override", host: hostname, port: port === "" ? given : port };
  }
  const objects = await target();
  if (objects.kind === "folder") {
    return undefined;
  }
  const service = (await objects.read(contour, options)) ?? {};
  const [ingress] = listOf(objectMember(objectMember(service, "status"), "loadBalancer")["ingress"]);
  const { ip, hostname } = isJsonObject(ingress) ? ingress : {};
  if (typeof ip === "string" && ip !== "") {
    return { kind: "address", ip };
  }
  return typeof hostname === "string" && hostname !== "" ? { kind: "hostname", hostname } : undefined;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
