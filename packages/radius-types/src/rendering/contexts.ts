import { ApiError, objectMember } from "@rad/core";
import type { JsonObject, JsonValue, ResourceId } from "@rad/core";
import { extensionOf } from "./extensions.ts";
import type { ApplicationContext, EnvironmentContext } from "./renderer.ts";

/** @throws ApiError for an environment whose containers do not run in Kubernetes. */
export function environmentContext(id: ResourceId, properties: JsonObject): EnvironmentContext {
  const compute = objectMember(properties, "compute");
  const kind = text(compute["kind"]) ?? "kubernetes";
  if (kind !== "kubernetes") {
    throw new ApiError(
      "BadRequest",
      `The environment '${id.name}' has the compute kind '${kind}', and this version deploys to Kubernetes only. ` +
        "Use an environment whose compute kind is 'kubernetes'.",
    );
  }
  const provider = objectMember(objectMember(properties, "providers"), "kubernetes");
  return { id, properties, namespace: text(provider["namespace"]) ?? text(compute["namespace"]) ?? "default" };
}

/** Where objects of a resource go: into the application's namespace, or else into the environment's. */
export function objectNamespace(environment: EnvironmentContext, application: ApplicationContext | undefined): string {
  return application === undefined ? environment.namespace : applicationNamespace(environment, application);
}

/** The namespace that the application's `status` names, or else the one that it is given. */
function applicationNamespace(environment: EnvironmentContext, application: ApplicationContext): string {
  const compute = objectMember(objectMember(application.properties, "status"), "compute");
  return text(compute["namespace"]) ?? namespaceOfApplication(environment, application);
}

/**
 * The namespace that an application is given: the one of its `kubernetesNamespace` extension, or else the environment's
 * with the application's name. Applications of `Radius.Core` have none of their own. The name may be invalid.
 */
export function namespaceOfApplication(environment: EnvironmentContext, application: ApplicationContext): string {
  if (application.id.namespace.toLowerCase() === "radius.core") {
    return environment.namespace;
  }
  const override = text(extensionOf(application.properties, "kubernetesNamespace")?.["namespace"]);
  return override ?? `${environment.namespace}-${application.id.name}`.toLowerCase();
}

/** An empty text counts as absent. */
function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
