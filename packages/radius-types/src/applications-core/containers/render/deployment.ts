import { ApiError, isJsonObject, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { KubernetesObject } from "@rad/kubernetes";
import { extensionOf } from "../../../rendering/extensions.ts";
import type { Labels } from "../../../rendering/labels.ts";
import { mergedMetadata, withMetadataOf } from "../../../rendering/metadata.ts";
import { secretHash, secretHashAnnotation } from "../../../rendering/secret-hash.ts";
import { listMember, textMember } from "../../../rendering/members.ts";
import { podSpecOf } from "./base-manifest.ts";
import { daprAnnotations } from "./dapr-sidecar.ts";
import { identityLabel } from "./identity.ts";
import { appended, listOrNothing } from "./base-lists.ts";
import { patchPodSpec } from "./pod-patch.ts";
import { containerPorts, readPorts } from "./ports.ts";
import { probesOf } from "./probes.ts";
import type { VolumeOutcome } from "./volumes.ts";
import { blank, objectOf } from "./workload.ts";
import type { Workload } from "./workload.ts";

export interface DeploymentInput {
  /** Entries of `env` by name. */
  readonly env: ReadonlyMap<string, JsonObject>;
  readonly volumes: VolumeOutcome;
  /** What the container's Secret holds, in clear. */
  readonly secretValues: Readonly<Record<string, string>>;
  readonly hasIdentity: boolean;
}

export function renderDeployment(workload: Workload, input: DeploymentInput): KubernetesObject {
  const { labels, selector, inherited, json } = workload;
  const base = workload.base.deployment ?? blank("apps/v1", "Deployment");
  const spec = objectMember(base, "spec");
  const template = objectMember(spec, "template");
  const templateMetadata = objectMember(template, "metadata");
  const user = withMetadataOf(inherited, json);
  const metadata = mergedMetadata(
    { labels: { ...base.metadata.labels, ...labels }, annotations: { ...base.metadata.annotations } },
    user,
  );
  const podMetadata = mergedMetadata(
    {
      labels: { ...textsOf(templateMetadata, "labels"), ...labels, ...(input.hasIdentity ? identityLabel : {}) },
      annotations: { ...textsOf(templateMetadata, "annotations"), ...podAnnotations(json, input.secretValues) },
    },
    user,
  );
  const baseSelector = objectMember(spec, "selector");
  return objectOf(workload, base, metadata, {
    spec: {
      ...spec,
      ...replicasOf(json),
      selector: { ...baseSelector, matchLabels: { ...objectMember(baseSelector, "matchLabels"), ...selector } },
      template: { ...template, metadata: { ...templateMetadata, ...podMetadata }, spec: podSpec(workload, input) },
    },
  });
}

function textsOf(metadata: JsonObject, name: string): Labels {
  return objectMember(metadata, name) as Labels;
}

function podAnnotations(json: JsonObject, secretValues: Readonly<Record<string, string>>): Labels {
  const annotations = daprAnnotations(extensionOf(json, "daprSidecar"));
  const hasSecret = Object.keys(secretValues).length > 0;
  return hasSecret ? { [secretHashAnnotation]: secretHash(secretValues), ...annotations } : annotations;
}

function replicasOf(json: JsonObject): JsonObject {
  const replicas = extensionOf(json, "manualScaling")?.["replicas"];
  if (typeof replicas !== "number") {
    return {};
  }
  if (replicas < 0) {
    throw new ApiError("BadRequest", `The extension 'manualScaling' asks for ${replicas} replicas. Use 0 or more.`);
  }
  return { replicas };
}

function podSpec(workload: Workload, input: DeploymentInput): JsonObject {
  const { name, properties } = workload;
  const base = podSpecOf(workload.base.deployment);
  const rendered = {
    ...base,
    serviceAccountName: name,
    enableServiceLinks: false,
    ...restartPolicyOf(workload),
    containers: containersOf(workload, input, listMember(base, "containers")),
    ...listOrNothing("volumes", appended(listMember(base, "volumes"), input.volumes.volumes, "name")),
  };
  const patch = properties.runtimes?.kubernetes?.pod;
  return isJsonObject(patch) ? patchPodSpec(rendered, patch) : rendered;
}

function restartPolicyOf({ properties }: Workload): JsonObject {
  const { restartPolicy } = properties;
  if (restartPolicy !== undefined && restartPolicy !== "Always") {
    throw new ApiError(
      "BadRequest",
      `restartPolicy '${restartPolicy}' is not possible: the container runs as a Deployment, whose pods are always restarted. ` +
        "Use 'Always', or leave it out.",
      { target: "$.properties.restartPolicy" },
    );
  }
  return restartPolicy === undefined ? {} : { restartPolicy };
}

/** The containers of the base manifest, with ours in the place of its namesake or at the end. */
function containersOf(workload: Workload, input: DeploymentInput, base: readonly JsonObject[]): JsonObject[] {
  const index = base.findIndex((one) => textMember(one, "name")?.toLowerCase() === workload.name);
  const containers = [...base];
  containers.splice(index < 0 ? base.length : index, 1, containerOf(workload, input, base[index] ?? {}));
  return containers;
}

function containerOf(workload: Workload, input: DeploymentInput, base: JsonObject): JsonObject {
  const { name, properties } = workload;
  const { image, imagePullPolicy, command = [], args = [], workingDir = "" } = properties.container;
  const { command: _command, args: _args, workingDir: _workingDir, ...rest } = base;
  const variables = [...input.env.values()].sort(byName);
  return {
    ...rest,
    name,
    image,
    ...(imagePullPolicy === undefined ? {} : { imagePullPolicy }),
    ...(command.length === 0 ? {} : { command: [...command] }),
    ...(args.length === 0 ? {} : { args: [...args] }),
    ...(workingDir === "" ? {} : { workingDir }),
    ...listOrNothing("ports", containerPorts(listMember(base, "ports"), readPorts(properties))),
    ...listOrNothing("env", appended(listMember(base, "env"), variables, "name")),
    ...probesOf(properties),
    ...listOrNothing("volumeMounts", appended(listMember(base, "volumeMounts"), input.volumes.mounts, "mountPath")),
  };
}

function byName(left: JsonObject, right: JsonObject): number {
  return (textMember(left, "name") ?? "") < (textMember(right, "name") ?? "") ? -1 : 1;
}
