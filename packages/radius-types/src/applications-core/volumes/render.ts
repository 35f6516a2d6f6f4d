import { ApiError, ResourceId } from "@rad/core";
import type { CheckedRequest, NeededKind, RenderedResource, Renderer, Rendering } from "../../rendering/renderer.ts";
import { sortedEntries } from "../../rendering/sorted-entries.ts";

export const keyVaultKind = "azure.com.keyvault";

/** Mounts vaults into pods. */
export const secretProviderClass: NeededKind = {
  group: "secrets-store.csi.x-k8s.io",
  kind: "SecretProviderClass",
  advice:
    "Volumes of the kind 'azure.com.keyvault' need the Secrets Store CSI driver with the Azure Key Vault provider. " +
    "Install it in the cluster (CustomResourceDefinition 'secretproviderclasses.secrets-store.csi.x-k8s.io'), and deploy again.",
};

/** A volume is no object of its own: each container that mounts it gets a SecretProviderClass. */
export const volumeRenderer: Renderer = {
  needs: [secretProviderClass],
  validate: validateVolume,
  dependencies: () => [],
  render: renderVolume,
};

export interface KeyVaultVolume {
  readonly kind: string;
  readonly resource: string;
  readonly secrets?: Readonly<Record<string, VaultSecret>>;
  readonly keys?: Readonly<Record<string, VaultObject>>;
  readonly certificates?: Readonly<Record<string, VaultCertificate>>;
}

interface VaultObject {
  readonly name: string;
  readonly alias?: string;
  readonly version?: string;
}

interface VaultSecret extends VaultObject {
  readonly encoding?: string;
}

interface VaultCertificate extends VaultSecret {
  readonly format?: string;
  readonly certType?: "certificate" | "privatekey" | "publickey";
}

function validateVolume({ properties }: Pick<CheckedRequest, "properties">): void {
  const { kind, resource } = properties as unknown as KeyVaultVolume;
  if (kind !== keyVaultKind) {
    throw new ApiError("BadRequest", `invalid resource kind: ${kind}`, { target: "$.properties.kind" });
  }
  if (ResourceId.tryParse(resource)?.type.toLowerCase() !== "microsoft.keyvault/vaults") {
    throw new ApiError(
      "BadRequest",
      `'${resource}' is not the resource id of a Key Vault: ` +
        "/subscriptions/{id}/resourceGroups/{name}/providers/Microsoft.KeyVault/vaults/{name}.",
      { target: "$.properties.resource" },
    );
  }
}

function renderVolume({ properties }: RenderedResource): Rendering {
  validateVolume({ properties });
  return { parts: [], values: { csiobjectspec: objectSpec(properties as unknown as KeyVaultVolume) } };
}

/** The parameter `objects` of a SecretProviderClass: a YAML list of texts that are YAML themselves. */
function objectSpec({ secrets = {}, keys = {}, certificates = {} }: KeyVaultVolume): string {
  const objects = [
    ...sortedEntries(secrets).map(([key, secret]) => ({
      ...named("secret", secret, secret.alias ?? key),
      objectEncoding: secret.encoding ?? "utf-8",
    })),
    ...sortedEntries(keys).map(([name, key]) => named("key", key, key.alias ?? name)),
    ...sortedEntries(certificates).map(([, certificate]) => certificateObject(certificate)),
  ];
  return objects.length === 0 ? "array: []\n" : `array:\n${objects.map(listItem).join("")}`;
}

const certificateTypes = { certificate: "certificate", publickey: "key", privatekey: "secret" } as const;

function certificateObject(certificate: VaultCertificate): Record<string, string | undefined> {
  const { certType = "certificate", alias, encoding = "utf-8", format = "pem" } = certificate;
  return {
    ...named(certificateTypes[certType], certificate, alias),
    objectEncoding: certType === "privatekey" ? encoding : undefined,
    objectFormat: format,
  };
}

function named(objectType: string, { name, version }: VaultObject, alias: string | undefined) {
  return { objectName: name, objectAlias: alias, objectType, objectVersion: version };
}

/** Every value is quoted: a version of digits is text, too. */
function listItem(members: Readonly<Record<string, string | undefined>>): string {
  const lines = Object.entries(members).map(([name, value]) =>
    value === undefined ? "" : `    ${name}: ${JSON.stringify(value)}\n`,
  );
  return `  - |\n${lines.join("")}`;
}
