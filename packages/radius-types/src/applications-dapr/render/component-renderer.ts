import { ApiError, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { type CallOptions, type KubernetesObject, nameOf, type ObjectTarget } from "@rad/kubernetes";
import { refuseRecipe } from "../../rendering/environment-recipes.ts";
import { descriptiveLabels } from "../../rendering/labels.ts";
import { sortedMembers, textMember } from "../../rendering/members.ts";
import { subdomainName } from "../../rendering/names.ts";
import { referencesOf } from "../../rendering/references.ts";
import type { RenderContext, RenderedResource, Renderer } from "../../rendering/renderer.ts";
import { checkComponent } from "../check-component.ts";

/** The labels that say which resource a Component belongs to. */
const ownerLabels = ["radapp.io/resource", "radapp.io/resource-type"];

/** Renders what an author describes as a Component of Dapr. */
export const componentRenderer: Renderer = {
  validate: ({ properties }) => checkComponent(properties),
  dependencies: () => [],
  render(resource, context) {
    const { id, properties } = resource;
    checkComponent(properties);
    if (properties["resourceProvisioning"] !== "manual") {
      return refuseRecipe(context.environment, id.type, properties);
    }
    const componentName = subdomainName(id.name, "The component name");
    return {
      parts: [{ platform: "kubernetes", localId: "Component", object: component(resource, context, componentName) }],
      properties: { componentName },
      values: { componentName },
      references: referencesOf(properties),
    };
  },
  async check(target, rendering, options) {
    for (const part of rendering.parts) {
      if (part.platform === "kubernetes") {
        await requireDapr(target, options);
        await requireOwnName(target, part.object, options);
      }
    }
  },
};

function component({ id, properties }: RenderedResource, context: RenderContext, name: string): KubernetesObject {
  const secretStore = textMember(objectMember(properties, "auth"), "secretStore");
  return {
    apiVersion: "dapr.io/v1alpha1",
    kind: "Component",
    metadata: {
      name,
      namespace: context.namespace,
      labels: descriptiveLabels(id, context.application?.id.name),
    },
    spec: {
      type: textMember(properties, "type") ?? "",
      version: textMember(properties, "version") ?? "",
      metadata: sortedMembers(objectMember(properties, "metadata")).map(([key, value]) => ({
        name: key,
        ...metadataValue(value),
      })),
    },
    ...(secretStore === undefined ? {} : { auth: { secretStore } }),
  };
}

function metadataValue(value: JsonObject): JsonObject {
  const reference = objectMember(value, "secretKeyRef");
  if (Object.keys(reference).length === 0) {
    return { value: textMember(value, "value") ?? "" };
  }
  return { secretKeyRef: { name: reference["name"] ?? "", key: reference["key"] ?? "" } };
}

async function requireDapr(target: ObjectTarget, options: CallOptions): Promise<void> {
  if (!(await target.serves("dapr.io", "Component", options))) {
    throw new ApiError(
      "BadRequest",
      "Dapr is not installed in your Kubernetes cluster. Install it, for example with 'dapr init --kubernetes', and deploy again. " +
        `The kind Component of dapr.io is missing in ${target.description}.`,
    );
  }
}

/** Components of all types share their names within a namespace. */
async function requireOwnName(target: ObjectTarget, object: KubernetesObject, options: CallOptions): Promise<void> {
  const present = await target.read(nameOf(object), options);
  const labels = present?.metadata.labels ?? {};
  if (present !== undefined && ownerLabels.some((label) => labels[label] !== object.metadata.labels?.[label])) {
    const { name, namespace } = object.metadata;
    throw new ApiError(
      "Conflict",
      `the Dapr component name '"${name}"' is already in use by another resource. ` +
        `Components of one namespace ('${namespace ?? ""}') need different names, whatever their type: rename this resource.`,
    );
  }
}
