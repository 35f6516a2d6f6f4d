import { type Client, ClientError, deploymentType } from "@rad/client";
import { isJsonObject } from "@rad/core";

/** What the control plane does with resources. */
interface Runtimes {
  /** The types with code behind them, in lower case. */
  readonly types: ReadonlySet<string>;
  /** Kubernetes objects are written to a folder, where nothing runs. */
  readonly writesManifests: boolean;
}

/** `undefined` when the control plane does not tell; then nobody should claim that nothing runs. */
export async function readRuntimes(client: Client): Promise<Runtimes | undefined> {
  try {
    const body = await client.probe("/runtimes");
    const { value: types, kubernetes } = isJsonObject(body) ? body : {};
    return Array.isArray(types)
      ? {
          types: new Set(types.flatMap((type) => (typeof type === "string" ? type.toLowerCase() : []))),
          writesManifests: kubernetes === "folder",
        }
      : undefined;
  } catch (error) {
    if (error instanceof ClientError) {
      return undefined; // the deployment has ended well, whatever becomes of this question
    }
    throw error;
  }
}

/** Whether something runs behind a resource; `undefined` when that is not known, or not up to this control plane. */
export function hasRuntime(
  { id, type }: { readonly id: string; readonly type: string },
  runtimes: Runtimes | undefined,
): boolean | undefined {
  const isOurs = id.toLowerCase().startsWith("/planes/radius/") && !isModule(type) && !settings.test(type);
  return isOurs ? runtimes?.types.has(type.toLowerCase()) : undefined;
}

/** Applications, environments, recipe packs and settings say how others are deployed; there is nothing to start for them. */
const settings = /^radius\.core\//i;

function isModule(type: string): boolean {
  return type.toLowerCase() === deploymentType.toLowerCase();
}

/** The line that tells recorded from running; empty when everything runs. */
export function recordedOnlyText(
  resources: readonly { readonly type: string; readonly hasRuntime: boolean | undefined }[],
): string {
  const recorded = resources.filter((resource) => resource.hasRuntime === false);
  if (recorded.length === 0) {
    return "";
  }
  const types = [...new Set(recorded.map(({ type }) => type))].sort().join(", ");
  const total = resources.filter(({ type }) => !isModule(type)).length;
  const what =
    recorded.length === total
      ? "All resources are recorded only"
      : `${recorded.length} of ${total} resources are recorded only`;
  return `${what}: no runtime is attached to ${types}, so nothing was started for them.\n`;
}

/** Types that only have a namespace: in a cluster nothing would run for them either. */
const withoutWorkload = /\/(?:applications|environments)$/i;

/** The line that tells written from running; empty where a cluster is used, or nothing would run there. */
export function manifestsText(
  resources: readonly { readonly type: string; readonly hasRuntime: boolean | undefined }[],
  writesManifests: boolean,
): string {
  return writesManifests && resources.some(({ type, hasRuntime: runs }) => runs === true && !withoutWorkload.test(type))
    ? "The control plane has no cluster: it writes Kubernetes objects to its manifests folder, and nothing runs there.\n"
    : "";
}
