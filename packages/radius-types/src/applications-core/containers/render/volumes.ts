import { ApiError, ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { dependencyOf } from "../../../rendering/dependency.ts";
import { environmentText } from "../../../rendering/environment-text.ts";
import { isLabel, labelName, labelRule } from "../../../rendering/names.ts";
import type { Dependency } from "../../../rendering/renderer.ts";
import { sortedEntries } from "../../../rendering/sorted-entries.ts";
import { keyVaultKind } from "../../volumes/render.ts";
import type { KeyVaultVolume } from "../../volumes/render.ts";
import type { MountedVolume } from "./container-properties.ts";
import type { Workload } from "./workload.ts";

export interface VolumeOutcome {
  /** For the pod. */
  readonly volumes: readonly JsonObject[];
  /** For the container. */
  readonly mounts: readonly JsonObject[];
  /** Values of the container's Secret by key. */
  readonly secretValues: ReadonlyMap<string, string>;
  readonly vaults: readonly MountedVault[];
}

export interface MountedVault {
  /** The name of its SecretProviderClass. */
  readonly name: string;
  readonly volume: KeyVaultVolume;
  /** The parameter `objects` of the class. */
  readonly objects: string;
}

/** What the container mounts. */
export function mountVolumes(workload: Workload): VolumeOutcome {
  const volumes: JsonObject[] = [];
  const mounts: JsonObject[] = [];
  const secretValues = new Map<string, string>();
  const vaults = new Map<string, MountedVault>();
  for (const [name, volume] of sortedEntries(workload.properties.container.volumes ?? {})) {
    const mountPath = checkedPath(name, volume);
    if (volume.kind === "ephemeral") {
      volumes.push({ name, emptyDir: volume.managedStore === "memory" ? { medium: "Memory" } : {} });
      mounts.push({ name, mountPath });
      continue;
    }
    const dependency = dependencyOf(workload.context, volume.source ?? "");
    const vault = vaultOf(name, dependency);
    vaults.set(vault.name, vault);
    volumes.push({
      name,
      csi: {
        driver: "secrets-store.csi.k8s.io",
        readOnly: true,
        volumeAttributes: { secretProviderClass: vault.name },
      },
    });
    mounts.push({ name, mountPath, readOnly: true });
    for (const [key, value] of sortedEntries(dependency.values)) {
      secretValues.set(key, environmentText(value));
    }
  }
  return { volumes, mounts, secretValues, vaults: [...vaults.values()] };
}

function checkedPath(name: string, { mountPath }: MountedVolume): string {
  if (!isLabel(name)) {
    throw new ApiError("BadRequest", `The volume name '${name}' has to be ${labelRule}.`);
  }
  if (mountPath === undefined || mountPath === "") {
    throw new ApiError("BadRequest", `The volume '${name}' has no 'mountPath'. Name the folder to mount it at.`);
  }
  return mountPath;
}

function vaultOf(name: string, { id, properties, values }: Dependency): MountedVault {
  const { kind } = properties;
  const isVolume = id.type.toLowerCase() === "applications.core/volumes";
  if (!isVolume || kind !== keyVaultKind) {
    throw new ApiError(
      "BadRequest",
      `Unsupported volume kind: ${isVolume && typeof kind === "string" ? kind : id.type} for volume: ${name}. ` +
        `Supported kinds are: [${keyVaultKind}]`,
    );
  }
  const { csiobjectspec = "" } = values;
  return {
    name: labelName(id.name, "The volume name"),
    volume: properties as unknown as KeyVaultVolume,
    objects: environmentText(csiobjectspec),
  };
}

/** The name of the vault itself. */
export function vaultName({ resource }: KeyVaultVolume): string {
  return ResourceId.parse(resource).name;
}
