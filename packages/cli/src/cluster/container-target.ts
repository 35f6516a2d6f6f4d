import type { Client, ResourceBody } from "@rad/client";
import { ClientError } from "@rad/client";
import { objectMember } from "@rad/core/json";
import type { Pods, PodSelection, RunningPod } from "@rad/kubernetes";
import { namedApplication } from "../applications/find-application.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { FamilyOptions } from "../families/choose-families.ts";
import { chosenFamilies } from "../families/choose-families.ts";
import { mustFind } from "../families/family-resource.ts";
import { createTypeLookup } from "../resources/type-lookup.ts";
import { groupId } from "../scope.ts";
import { containerTypes } from "./container-types.ts";
import { namespacesOf } from "./namespaces.ts";

export interface ContainerOptions extends FamilyOptions {
  readonly application?: string;
  readonly group?: string;
  /** A pod. */
  readonly replica?: string;
}

/** The pods of a container resource. */
export interface ContainerTarget {
  readonly display: string;
  readonly name: string;
  /** `Radius.Compute/containers`, whose pods may have several containers. */
  readonly isNewer: boolean;
  readonly namespace: string;
  readonly selector: string;
}

/** Finds a container by the control plane's records. @throws CliError when there is none, or nothing of it in a cluster */
export async function findContainer(
  context: CommandContext,
  typeText: string,
  name: string,
  options: ContainerOptions,
): Promise<ContainerTarget> {
  const wantedTypes = chosenTypes(context, typeText, options);
  const workspace = await context.workspace();
  const wanted = await namedApplication(context, workspace, options.application, options);
  const client = await context.client(workspace);
  const application = await mustFind(client, wanted, workspace.name);
  const found = (
    await Promise.all(wantedTypes.map((type) => readContainer(client, type, application.group, name)))
  ).find((resource) => resource !== undefined && belongsTo(resource, application.id));
  if (found === undefined) {
    throw new CliError(
      "NotFound",
      `The application "${application.name}" has no container "${name}" (${wantedTypes.join(" or ")}).`,
      { missing: { kind: "resources", name, group: application.group, type: wantedTypes[0] ?? "" } },
    );
  }
  const display = `${found.type}/${found.name}`;
  const [namespace] = namespacesOf(application.resource, [found]);
  if (namespace === undefined) {
    throw new CliError("NotInCluster", `The control plane has created nothing in a cluster for ${display}.`);
  }
  return {
    display,
    name: found.name.toLowerCase(),
    isNewer: found.type.toLowerCase() === "radius.compute/containers",
    namespace,
    selector: `radapp.io/application=${application.name.toLowerCase()},radapp.io/resource=${found.name.toLowerCase()}`,
  };
}

function chosenTypes(context: CommandContext, text: string, options: FamilyOptions): string[] {
  const types = chosenFamilies(context, options).map(({ namespace }) => containerTypes[namespace] ?? "");
  const matching = Object.values(containerTypes).filter((type) =>
    [type.toLowerCase(), "containers"].includes(text.toLowerCase()),
  );
  if (matching.length === 0) {
    throw new CliError(
      "InvalidResourceType",
      `"${text}" is not a type with pods: use ${Object.values(containerTypes).join(" or ")}.`,
    );
  }
  // A type that is written in full says which family it is of.
  return matching.length === 1 ? matching : types;
}

async function readContainer(
  client: Client,
  type: string,
  group: string,
  name: string,
): Promise<ResourceBody | undefined> {
  if (name === "" || name.includes("/")) {
    throw new CliError("InvalidResourceName", `"${name}" is not a resource name.`);
  }
  try {
    const { apiVersion, fullName } = await createTypeLookup(client).find(type);
    return await client.resources.get(`${groupId(group)}/providers/${fullName}/${name}`, { apiVersion });
  } catch (error) {
    const isAbsent =
      (error instanceof ClientError && error.isNotFound) ||
      (error instanceof CliError && error.code === "ResourceTypeNotFound");
    if (isAbsent) {
      return undefined;
    }
    throw error;
  }
}

function belongsTo(resource: ResourceBody, application: string): boolean {
  const owner = objectMember(resource, "properties")["application"];
  return typeof owner === "string" && owner.toLowerCase() === application.toLowerCase();
}

/** The running pods of a container, the newest first; only the named one with `--replica`. @throws CliError without any */
export async function podsOfContainer(
  pods: Pods,
  target: ContainerTarget,
  { replica, cluster, signal }: PodsOptions,
): Promise<readonly [RunningPod, ...RunningPod[]]> {
  const { namespace, selector, display } = target;
  const all = await pods.running({ namespace, selector, signal });
  const [first, ...others] = replica === undefined ? all : all.filter(({ name }) => name === replica);
  if (first !== undefined) {
    return [first, ...others];
  }
  const place = `in the namespace "${namespace}" of the cluster "${cluster}"`;
  if (replica !== undefined && all.length > 0) {
    const names = all.map(({ name }) => name).join(", ");
    throw new CliError("ReplicaNotFound", `${display} has no replica "${replica}" ${place}. There are: ${names}.`);
  }
  throw new CliError(
    "NotRunning",
    `${display} has no running pod ${place}. Check that the control plane deploys to this cluster: where it writes manifests to a folder, nothing runs.`,
  );
}

interface PodsOptions extends Pick<PodSelection, "signal"> {
  readonly replica?: string | undefined;
  /** For messages. */
  readonly cluster: string;
}
