import { ApiError, ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { encodeBase64, encodeUtf8 } from "@rad/templates/bytes";
import { hashedLocalId } from "../../../rendering/local-id.ts";
import type {
  KubernetesPart,
  RenderContext,
  RenderedResource,
  Renderer,
  Rendering,
} from "../../../rendering/renderer.ts";
import { sortedEntries } from "../../../rendering/sorted-entries.ts";
import { accessParts } from "./access.ts";
import { connect } from "./connections.ts";
import { readSource } from "./connection-source.ts";
import { containerProperties } from "./container-properties.ts";
import { renderDeployment } from "./deployment.ts";
import { workloadIdentity } from "./identity.ts";
import { readPorts, servicePart } from "./ports.ts";
import { validateContainer } from "./validate.ts";
import { vaultParts, vaultRoles } from "./vaults.ts";
import { mountVolumes } from "./volumes.ts";
import { workloadOf } from "./workload.ts";
import type { Workload } from "./workload.ts";

export const containerRenderer: Renderer = {
  validate: validateContainer,
  dependencies: containerDependencies,
  render: renderContainer,
};

/** Resources of ours that connections, environment variables and volumes name. */
function containerDependencies(properties: JsonObject): string[] {
  const { container, connections = {}, resourceProvisioning } = containerProperties(properties);
  if (resourceProvisioning === "manual") {
    return [];
  }
  const sources = Object.values(connections).map(({ source }) => source);
  const ids = [
    ...sources.filter((source) => source !== "" && readSource(source).kind === "radius"),
    ...Object.values(container.env ?? {})
      .flatMap(({ valueFrom }) => valueFrom?.secretRef.source ?? [])
      .filter(isId),
    ...Object.values(container.volumes ?? {}).flatMap(({ kind, source }) =>
      kind === "persistent" ? (source ?? "") : [],
    ),
  ];
  ids.forEach((id) => ResourceId.parse(id));
  return [...new Map(ids.map((id) => [id.toLowerCase(), id])).values()];
}

function isId(source: string): boolean {
  return source.startsWith("/");
}

function renderContainer(resource: RenderedResource, context: RenderContext): Rendering {
  const { resourceProvisioning, resources = [] } = containerProperties(resource.properties);
  const references = resources.map(({ id }) => id);
  if (resourceProvisioning === "manual") {
    return { parts: [], references };
  }
  const workload = workloadOf(resource, context);
  const connections = connect(workload);
  const volumes = mountVolumes(workload);
  const secretValues = Object.fromEntries(
    new Map([...volumes.secretValues, ...connections.secretValues].sort(([left], [right]) => (left < right ? -1 : 1))),
  );
  const roles = [...connections.roles, ...volumes.vaults.flatMap(vaultRoles)];
  const needsIdentity = roles.length > 0 || volumes.vaults.length > 0;
  const identity = needsIdentity ? workloadIdentity(workload, roles) : undefined;
  const before = [
    ...(identity?.parts ?? []),
    ...accessParts(workload, needsIdentity),
    ...vaultParts(workload, volumes.vaults),
    ...secretParts(workload, secretValues),
    ...baseParts(workload),
  ];
  const deployment = renderDeployment(workload, { connections, volumes, secretValues, hasIdentity: needsIdentity });
  const service = servicePart(workload, readPorts(workload.properties));
  return {
    parts: [
      ...before,
      {
        platform: "kubernetes",
        localId: "Deployment",
        dependsOn: before.map(({ localId }) => localId),
        object: deployment,
        awaited: true,
      },
      ...(service === undefined ? [] : [service]),
    ],
    ...(identity === undefined ? {} : { properties: { identity: identity.settings } }),
    ...(references.length === 0 ? {} : { references }),
  };
}

/** The Secret with the values of connections and volumes; none without values. */
function secretParts(workload: Workload, values: Readonly<Record<string, string>>): KubernetesPart[] {
  const { name, namespace, labels, base } = workload;
  const entries = sortedEntries(values);
  if (entries.length === 0) {
    return [];
  }
  if (base.others.some(({ kind, metadata }) => kind === "Secret" && metadata.name === name)) {
    throw new ApiError(
      "BadRequest",
      `The base manifest has a Secret '${name}', which is also the name of the Secret with the values of the container's connections. Rename it.`,
      { target: "$.properties.runtimes.kubernetes.base" },
    );
  }
  const data = Object.fromEntries(entries.map(([key, value]) => [key, encodeBase64(encodeUtf8(value))]));
  const object = { apiVersion: "v1", kind: "Secret", metadata: { name, namespace, labels }, type: "Opaque", data };
  return [{ platform: "kubernetes", localId: "Secret", object }];
}

/** ConfigMaps and Secrets of the base manifest, as they are. */
function baseParts({ base, namespace }: Workload): KubernetesPart[] {
  return base.others.map((object) => ({
    platform: "kubernetes",
    localId: hashedLocalId(object.kind, object.metadata.name),
    object: { ...object, metadata: { ...object.metadata, namespace } },
  }));
}
