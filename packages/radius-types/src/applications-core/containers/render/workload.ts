import { ApiError } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { KubernetesObject, ObjectMetadata } from "@rad/kubernetes";
import { descriptiveLabels, selectorLabels } from "../../../rendering/labels.ts";
import type { Labels } from "../../../rendering/labels.ts";
import { inheritedMetadata } from "../../../rendering/metadata.ts";
import type { UserMetadata } from "../../../rendering/metadata.ts";
import { labelName } from "../../../rendering/names.ts";
import type { RenderContext, RenderedResource } from "../../../rendering/renderer.ts";
import { readBaseManifest } from "./base-manifest.ts";
import type { BaseManifest } from "./base-manifest.ts";
import { containerProperties } from "./container-properties.ts";
import type { ContainerProperties } from "./container-properties.ts";
import { sealedValues } from "./sealed-values.ts";
import type { SealedValues } from "./sealed-values.ts";

/** What all objects of a container are made from. */
export interface Workload {
  /** The name of the container and of its objects. */
  readonly name: string;
  readonly applicationName: string;
  readonly namespace: string;
  readonly properties: ContainerProperties;
  readonly json: JsonObject;
  readonly labels: Labels;
  readonly selector: Labels;
  /** What the environment and the application add to objects. */
  readonly inherited: UserMetadata;
  readonly base: BaseManifest;
  readonly sealed: SealedValues;
  readonly context: RenderContext;
}

/** @throws ApiError for a name that objects cannot have, and for a bad base manifest. */
export function workloadOf(resource: RenderedResource, context: RenderContext): Workload {
  const { id, properties: json } = resource;
  const { application, namespace } = context;
  if (application === undefined) {
    throw new ApiError("BadRequest", `application ID is not set for the resource "${id.toString()}"`);
  }
  const properties = containerProperties(json);
  const name = labelName(id.name, "The container name");
  const base = readBaseManifest(properties.runtimes?.kubernetes?.base, name);
  return {
    name,
    applicationName: application.id.name.toLowerCase(),
    namespace,
    properties,
    json,
    labels: descriptiveLabels(id, application.id.name),
    selector: selectorLabels(id, application.id.name),
    inherited: inheritedMetadata(context),
    base,
    sealed: sealedValues(resource, base),
    context,
  };
}

/** An object of the container that starts from `base`, with these labels and annotations in the place of its own. */
export function objectOf(
  { name, namespace }: Workload,
  base: KubernetesObject,
  metadata: Partial<ObjectMetadata>,
  content: JsonObject,
): KubernetesObject {
  const { apiVersion, kind, metadata: baseMetadata, ...rest } = base;
  const { name: _name, labels: _labels, annotations: _annotations, ...others } = baseMetadata;
  return { apiVersion, kind, metadata: { name, namespace, ...metadata, ...others }, ...rest, ...content };
}

/** What an object starts from without a base manifest. */
export function blank(apiVersion: string, kind: string): KubernetesObject {
  return { apiVersion, kind, metadata: { name: "" } };
}
