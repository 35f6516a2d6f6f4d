import { ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { hashedLocalId } from "../../../rendering/local-id.ts";
import type {
  KubernetesPart,
  RenderContext,
  RenderedResource,
  Renderer,
  Rendering,
} from "../../../rendering/renderer.ts";
import { secretProviderClass } from "../../volumes/render.ts";
import { accessParts } from "./access.ts";
import { connect } from "./connections.ts";
import { readSource } from "./connection-source.ts";
import { containerProperties } from "./container-properties.ts";
import { renderDeployment } from "./deployment.ts";
import { explicitVariables } from "./env.ts";
import { workloadIdentity } from "./identity.ts";
import { secretParts } from "./own-secret.ts";
import { readPorts, servicePart } from "./ports.ts";
import { validateContainer } from "./validate.ts";
import { vaultParts, vaultRoles } from "./vaults.ts";
import { mountVolumes } from "./volumes.ts";
import { workloadOf } from "./workload.ts";
import type { Workload } from "./workload.ts";

export const containerRenderer: Renderer = {
  validate: validateContainer,
  dependencies: containerDependencies,
  sharedKinds: [secretProviderClass.kind],
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
  const explicit = explicitVariables(workload);
  const volumes = mountVolumes(workload);
  const secretValues = Object.fromEntries([
    ...volumes.secretValues,
    ...connections.secretValues,
    ...explicit.secretValues,
  ]);
  const env = new Map([...connections.env, ...explicit.env]);
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
  const deployment = renderDeployment(workload, { env, volumes, secretValues, hasIdentity: needsIdentity });
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

/** ConfigMaps and Secrets of the base manifest, as they are. */
function baseParts({ base, namespace }: Workload): KubernetesPart[] {
  return base.others.map((object) => ({
    platform: "kubernetes",
    localId: hashedLocalId(object.kind, object.metadata.name),
    object: { ...object, metadata: { ...object.metadata, namespace } },
  }));
}
