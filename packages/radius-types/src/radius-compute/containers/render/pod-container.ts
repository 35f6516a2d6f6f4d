import { objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { listMember, numberMember, sortedMembers, textMember } from "../../../rendering/members.ts";
import { labelName } from "../../../rendering/names.ts";
import type { ConnectionEnvironment } from "./connection-environment.ts";
import { renderedProbe } from "./probe.ts";
import { secretNameOf } from "./secret-name.ts";
import { mountedVolume } from "./volumes.ts";

export interface PodContainerContext {
  readonly connections: ConnectionEnvironment;
  /** The Secret with the secret values of connections. */
  readonly secretName: string;
  /** The resource's `volumes`. */
  readonly volumes: JsonObject;
}

/** One container of the pod. */
export function podContainer(name: string, container: JsonObject, context: PodContainerContext): JsonObject {
  const at = `$.properties.containers.${name}`;
  const ports = sortedMembers(objectMember(container, "ports")).map(([, port]) => ({
    containerPort: port["containerPort"] ?? 0,
    protocol: port["protocol"] ?? "TCP",
  }));
  const mounts = listMember(container, "volumeMounts").map((mount) => mountedVolume(mount, context.volumes, at));
  const env = environmentOf(container, context);
  return {
    name: labelName(name, "The container name"),
    image: container["image"] ?? "",
    ...copied(container, ["command", "args", "workingDir"]),
    ...(ports.length === 0 ? {} : { ports }),
    ...(env.length === 0 ? {} : { env }),
    ...(context.connections.envFrom.length === 0
      ? {}
      : {
          envFrom: context.connections.envFrom.map(({ prefix, secretRef }) => ({
            prefix,
            secretRef: { ...secretRef },
          })),
        }),
    ...resourcesOf(objectMember(container, "resources")),
    ...(mounts.length === 0 ? {} : { volumeMounts: mounts }),
    ...probesOf(container, at),
  };
}

/** Secret values come first and the author's come last, so that those can use the others: `$(CONNECTION_DB_HOST)`. */
function environmentOf(container: JsonObject, { connections, secretName }: PodContainerContext): JsonObject[] {
  const env = objectMember(container, "env");
  const own = Object.keys(env).map((name) => {
    const entry = objectMember(env, name);
    return { name, entry, reference: objectMember(objectMember(entry, "valueFrom"), "secretKeyRef") };
  });
  const isOwn = (name: string): boolean => own.some((variable) => variable.name === name);
  const secret = Object.keys(connections.secrets)
    .filter((name) => !isOwn(name))
    .toSorted()
    .map((name) => ({ name, valueFrom: { secretKeyRef: { name: secretName, key: name } } }));
  const referring = own
    .filter(({ reference }) => Object.keys(reference).length > 0)
    .map(({ name, reference }) => ({
      name,
      valueFrom: { secretKeyRef: { name: secretNameOf(reference) ?? "", key: reference["key"] ?? "" } },
    }));
  const connected = connections.variables.filter(([name]) => !isOwn(name)).map(([name, value]) => ({ name, value }));
  const plain = own
    .filter(({ reference }) => Object.keys(reference).length === 0)
    .map(({ name, entry }) => ({ name, value: entry["value"] ?? "" }));
  return [...secret, ...referring, ...connected, ...plain];
}

function resourcesOf(resources: JsonObject): JsonObject {
  const rendered: JsonObject = {};
  for (const name of ["requests", "limits"]) {
    const amounts = objectMember(resources, name);
    const cpu = textMember(amounts, "cpu");
    const memory = numberMember(amounts, "memoryInMib");
    const quantities = {
      ...(cpu === undefined ? {} : { cpu }),
      ...(memory === undefined ? {} : { memory: `${memory}Mi` }),
    };
    if (Object.keys(quantities).length > 0) {
      rendered[name] = quantities;
    }
  }
  return Object.keys(rendered).length === 0 ? {} : { resources: rendered };
}

function probesOf(container: JsonObject, at: string): JsonObject {
  const probes: JsonObject = {};
  for (const name of ["readinessProbe", "livenessProbe"]) {
    if (container[name] !== undefined) {
      probes[name] = renderedProbe(objectMember(container, name), `${at}.${name}`);
    }
  }
  return probes;
}

function copied(object: JsonObject, names: readonly string[]): JsonObject {
  const members = names.map((name) => [name, object[name]] as const);
  return Object.fromEntries(members.filter((member): member is [string, JsonValue] => member[1] !== undefined));
}
