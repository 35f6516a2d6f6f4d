import { hashedLocalId } from "../../../rendering/local-id.ts";
import type { KubernetesPart } from "../../../rendering/renderer.ts";
import { secretProviderClass } from "../../volumes/render.ts";
import type { AzureRole } from "./identity.ts";
import { workloadIdentityKind } from "./identity.ts";
import { vaultName } from "./volumes.ts";
import type { MountedVault } from "./volumes.ts";
import type { Workload } from "./workload.ts";

/** The roles that the container needs on a vault to mount what the volume names. */
export function vaultRoles({ volume }: MountedVault): AzureRole[] {
  const { resource: scope, secrets = {}, keys = {}, certificates = {} } = volume;
  return [
    ...(Object.keys(secrets).length > 0 ? [{ scope, role: "Key Vault Secrets User" }] : []),
    ...(Object.keys({ ...certificates, ...keys }).length > 0 ? [{ scope, role: "Key Vault Crypto User" }] : []),
  ];
}

/** A SecretProviderClass for each vault. The ids of identity and tenant are added when the identity is there. */
export function vaultParts({ namespace, labels }: Workload, vaults: readonly MountedVault[]): KubernetesPart[] {
  const { group, kind } = secretProviderClass;
  return vaults.map((vault) => ({
    platform: "kubernetes",
    localId: vaults.length === 1 ? kind : hashedLocalId(kind, vault.name),
    dependsOn: ["ServiceAccount"],
    object: {
      apiVersion: `${group}/v1`,
      kind,
      metadata: {
        name: vault.name,
        namespace,
        labels,
        annotations: { "radapp.io/identity-type": workloadIdentityKind },
      },
      spec: {
        provider: "azure",
        parameters: { usePodIdentity: "false", keyvaultName: vaultName(vault.volume), objects: vault.objects },
      },
    },
  }));
}
