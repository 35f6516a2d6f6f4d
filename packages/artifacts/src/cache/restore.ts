import type { ArtifactKind, NeededArtifact, RegistryReference } from "@rad/bicep";
import { ArtifactError } from "../artifact-error.ts";
import { storeArtifact } from "./artifact-store.ts";
import type { RegistryClient } from "../oci/registry-client.ts";

export interface RestoreOptions {
  readonly client: RegistryClient;
  readonly cacheFolder: string;
  readonly signal: AbortSignal;
  /** Fetch also what is there already. */
  readonly force?: boolean;
}

export interface RestoreOutcome {
  readonly artifact: NeededArtifact;
  readonly outcome: "restored" | "present" | "failed";
  /** Why it failed. */
  readonly error: ArtifactError | undefined;
}

const layerTypes: Readonly<Record<ArtifactKind, string>> = {
  module: "application/vnd.ms.bicep.module.layer.v1+json",
  extension: "application/vnd.ms.bicep.provider.layer.v1.tar+gzip",
};

/**
 * Fetches artifacts into the cache, one after the other. What fails is told and stops none of the others, but a
 * registry that could not be reached is not asked again: each attempt may take as long as the time-out.
 */
export async function restoreArtifacts(
  artifacts: readonly NeededArtifact[],
  options: RestoreOptions,
): Promise<readonly RestoreOutcome[]> {
  const outcomes: RestoreOutcome[] = [];
  const unreachable = new Map<string, ArtifactError>();
  for (const artifact of artifacts) {
    if (artifact.restored && options.force !== true) {
      outcomes.push({ artifact, outcome: "present", error: undefined });
      continue;
    }
    const registry = artifact.reference.kind === "registry" ? artifact.reference.registry : "";
    const known = unreachable.get(registry);
    if (known !== undefined) {
      outcomes.push({ artifact, outcome: "failed", error: known });
      continue;
    }
    try {
      await restoreOne(artifact, options);
      outcomes.push({ artifact, outcome: "restored", error: undefined });
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof ArtifactError)) {
        throw error;
      }
      outcomes.push({ artifact, outcome: "failed", error });
      if (error.code === "RegistryUnreachable") {
        unreachable.set(registry, error);
      }
    }
  }
  return outcomes;
}

async function restoreOne(artifact: NeededArtifact, options: RestoreOptions): Promise<void> {
  const { reference, kind, cacheRoot } = artifact;
  if (reference.kind !== "registry") {
    throw new ArtifactError(
      "TemplateSpecNotSupported",
      "Template specs are fetched from Azure, which rad does not do.",
    );
  }
  const { client, signal } = options;
  const repository = { registry: reference.registry, name: reference.repository };
  const manifest = await client.manifest(repository, versionOf(reference));
  const layers = manifest.layers.filter((layer) => layer.mediaType === layerTypes[kind]);
  const [layer, ...others] = layers;
  if (layer === undefined || others.length > 0) {
    throw new ArtifactError(
      "ArtifactInvalid",
      `${reference.text} is no ${kind}: it needs one layer ${layerTypes[kind]}.`,
    );
  }
  const content = await client.blob(repository, layer);
  await storeArtifact(
    { cacheFolder: cacheRoot ?? options.cacheFolder, reference, kind },
    { content, manifest: manifest.bytes, manifestDigest: manifest.digest },
    signal,
  );
}

function versionOf({ tag, digest }: RegistryReference): string {
  return tag ?? digest ?? "";
}
