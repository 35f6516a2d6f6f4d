import { objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { extensionOf } from "./extensions.ts";
import { reservedPrefix } from "./labels.ts";
import type { Labels } from "./labels.ts";
import type { RenderContext } from "./renderer.ts";

/** Labels and annotations that users ask for. */
export interface UserMetadata {
  readonly labels: Labels;
  readonly annotations: Labels;
}

/** What the environment and the application give to the objects in them; the application's entries win. */
export function inheritedMetadata({ environment, application }: RenderContext): UserMetadata {
  return withMetadataOf(metadataOf(environment.properties), application?.properties ?? {});
}

/** The same with the `kubernetesMetadata` extension of one more resource, whose entries win. */
export function withMetadataOf(inherited: UserMetadata, properties: JsonObject): UserMetadata {
  const own = metadataOf(properties);
  return {
    labels: { ...inherited.labels, ...own.labels },
    annotations: { ...inherited.annotations, ...own.annotations },
  };
}

/** The members `labels` and `annotations` of an object's metadata, left out where empty. The user's entries win. */
export function mergedMetadata(
  own: Partial<UserMetadata>,
  user: UserMetadata,
): { labels?: Labels; annotations?: Labels } {
  return { ...entries("labels", own, user), ...entries("annotations", own, user) };
}

function entries(name: keyof UserMetadata, own: Partial<UserMetadata>, user: UserMetadata): Record<string, Labels> {
  const merged = { ...own[name], ...user[name] };
  return Object.keys(merged).length === 0 ? {} : { [name]: merged };
}

function metadataOf(properties: JsonObject): UserMetadata {
  const extension = extensionOf(properties, "kubernetesMetadata") ?? {};
  return {
    labels: allowed(objectMember(extension, "labels")),
    annotations: allowed(objectMember(extension, "annotations")),
  };
}

/** Keys of ours are dropped: selectors and ownership depend on them. */
function allowed(texts: JsonObject): Labels {
  const kept: Labels = {};
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === "string" && !key.startsWith(reservedPrefix)) {
      kept[key] = value;
    }
  }
  return kept;
}
