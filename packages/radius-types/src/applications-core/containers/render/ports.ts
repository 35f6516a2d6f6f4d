import { ApiError, objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import type { KubernetesPart } from "../../../rendering/renderer.ts";
import { isLabel, labelRule } from "../../../rendering/names.ts";
import { mergedMetadata } from "../../../rendering/metadata.ts";
import { sortedEntries } from "../../../rendering/sorted-entries.ts";
import { listMember, textMember } from "../../../rendering/members.ts";
import type { ContainerProperties } from "./container-properties.ts";
import { blank, objectOf } from "./workload.ts";
import type { Workload } from "./workload.ts";

interface ReadPort {
  readonly name: string;
  readonly containerPort: number;
  readonly port: number;
  readonly protocol: string;
}

/** The ports by name. @throws ApiError for numbers and names that Kubernetes does not take. */
export function readPorts({ container }: ContainerProperties): ReadPort[] {
  const ports = sortedEntries(container.ports ?? {}).map(([name, port]): ReadPort => {
    const { containerPort, protocol = "TCP" } = port;
    return { name, containerPort, port: port.port ?? containerPort, protocol };
  });
  const users = new Map<string, string>();
  for (const { name, containerPort, port, protocol } of ports) {
    if (containerPort === 0) {
      throw refused("must define a ContainerPort, but ContainerPort is: 0.");
    }
    for (const number of [containerPort, port]) {
      if (!Number.isInteger(number) || number < 1 || number > 65_535) {
        throw refused(`'${name}' has the number ${number}; use one from 1 to 65535.`);
      }
    }
    if (!isLabel(name)) {
      throw refused(`the name '${name}' has to be ${labelRule}.`);
    }
    const used = `${port}/${protocol}`;
    const other = users.get(used);
    if (other !== undefined) {
      throw refused(`'${other}' and '${name}' are both reached at ${used}.`);
    }
    users.set(used, name);
  }
  return ports;
}

function refused(problem: string): ApiError {
  return new ApiError("BadRequest", `invalid ports definition: ${problem}`, { target: "$.properties.container.ports" });
}

/** The container's list of ports: those of the base manifest, then ours. Each number is there once. */
export function containerPorts(base: readonly JsonObject[], ports: readonly ReadPort[]): JsonObject[] {
  const list = [...base];
  const used = new Set(base.map(({ containerPort, protocol = "TCP" }) => JSON.stringify([containerPort, protocol])));
  for (const { containerPort, protocol } of ports) {
    const key = JSON.stringify([containerPort, protocol]);
    if (!used.has(key)) {
      used.add(key);
      list.push({ containerPort, protocol });
    }
  }
  return list;
}

/** The Service by which others reach the ports; none without ports. */
export function servicePart(workload: Workload, ports: readonly ReadPort[]): KubernetesPart | undefined {
  const { labels, selector, inherited } = workload;
  if (ports.length === 0 && workload.base.service === undefined) {
    return undefined;
  }
  const base = workload.base.service ?? blank("v1", "Service");
  const spec = objectMember(base, "spec");
  const metadata = mergedMetadata(
    { labels: { ...base.metadata.labels, ...labels }, annotations: { ...base.metadata.annotations } },
    inherited,
  );
  const list = mergePorts(listMember(spec, "ports"), ports);
  return {
    platform: "kubernetes",
    localId: "Service",
    object: objectOf(workload, base, metadata, {
      spec: { ...spec, type: "ClusterIP", selector: { ...selector }, ports: list },
    }),
  };
}

/** The ports of the base Service and ours; each of ours replaces those with its name, its number or its target. */
export function mergePorts(base: readonly JsonObject[], ports: readonly ReadPort[]): JsonObject[] {
  const ours = ports.map(({ name, port, containerPort: targetPort, protocol }) => ({
    name,
    port,
    targetPort,
    protocol,
  }));
  // The first one that fits counts.
  const latestFirst = [...ours.entries()].toReversed();
  const byName = new Map<string, number>(latestFirst.map(([index, { name }]) => [name, index]));
  const byNumber = new Map<JsonValue | undefined, number>(latestFirst.map(([index, { port }]) => [port, index]));
  const byTarget = new Map<JsonValue | undefined, number>(
    latestFirst.map(([index, { targetPort }]) => [targetPort, index]),
  );
  const replacementOf = (one: JsonObject): number =>
    Math.min(
      byName.get(textMember(one, "name")?.toLowerCase() ?? "") ?? Infinity,
      byNumber.get(one["port"]) ?? Infinity,
      byTarget.get(one["targetPort"]) ?? Infinity,
    );
  const merged = new Set<JsonObject>();
  for (const one of base) {
    merged.add(ours[replacementOf(one)] ?? one);
  }
  return [...merged.union(new Set(ours))];
}
