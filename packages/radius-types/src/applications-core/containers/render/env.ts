import { ApiError } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { objectOfId } from "@rad/kubernetes";
import { dependencyOf } from "../../../rendering/dependency.ts";
import type { Dependency } from "../../../rendering/renderer.ts";
import { textMember } from "../../../rendering/members.ts";
import type { Variable } from "./container-properties.ts";
import { isSecretKey, ownSecretReference } from "./own-secret.ts";
import type { Workload } from "./workload.ts";

/** Environment variables and what they need. */
export interface Variables {
  /** Entries of the container's `env` by name. */
  readonly env: ReadonlyMap<string, JsonObject>;
  /** Values of the container's Secret by key. */
  readonly secretValues: ReadonlyMap<string, string>;
}

/** @throws ApiError for a variable that has no value, or two. */
export function checkVariable(name: string, { value, valueFrom }: Variable): void {
  if (value === undefined && valueFrom === undefined) {
    throw new ApiError(
      "BadRequest",
      `failed to convert environment variable: ${name}, both value and valueFrom cannot be nil`,
    );
  }
  if (value !== undefined && valueFrom !== undefined) {
    throw new ApiError(
      "BadRequest",
      `failed to convert environment variable: ${name}, both value and valueFrom cannot be specified`,
    );
  }
}

/** The entries that the author wrote. Values that are sealed in the resource go into the container's Secret. */
export function explicitVariables(workload: Workload): Variables {
  const env = new Map<string, JsonObject>();
  const secretValues = new Map<string, string>();
  for (const [name, variable] of Object.entries(workload.properties.container.env ?? {})) {
    checkVariable(name, variable);
    if (!workload.sealed.has("container", "env", name, "value")) {
      env.set(name, { name, ...contentOf(workload, name, variable) });
      continue;
    }
    if (!isSecretKey(name)) {
      throw new ApiError(
        "BadRequest",
        `The environment variable '${name}' holds a secret, and a Kubernetes Secret cannot have a key of that name: use letters, digits, '-', '_' and '.'.`,
      );
    }
    env.set(name, ownSecretReference(workload, name));
    secretValues.set(name, variable.value ?? "");
  }
  return { env, secretValues };
}

function contentOf(workload: Workload, name: string, { value, valueFrom }: Variable): JsonObject {
  if (valueFrom === undefined) {
    return { value: value ?? "" };
  }
  const { source, key } = valueFrom.secretRef;
  const secret = source.startsWith("/") ? secretOf(workload, name, source) : source;
  return { valueFrom: { secretKeyRef: { name: secret, key } } };
}

/** The name of the Secret behind a secret store. */
function secretOf({ namespace, context }: Workload, variable: string, source: string): string {
  const secret = secretBehind(dependencyOf(context, source), namespace);
  if (secret === undefined) {
    throw new ApiError(
      "BadRequest",
      `The environment variable '${variable}' refers to '${source}', behind which there is no Kubernetes Secret. Name a secret store.`,
    );
  }
  if (secret.namespace !== namespace) {
    throw new ApiError(
      "BadRequest",
      `The environment variable '${variable}' refers to '${source}', which keeps its values in the Secret ` +
        `'${secret.namespace}/${secret.name}'. A container can read Secrets of its own namespace '${namespace}' only. ` +
        "Use a secret store of the same application.",
    );
  }
  return secret.name;
}

interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

function secretBehind({ id, properties, outputResources }: Dependency, namespace: string): SecretName | undefined {
  const resource = textMember(properties, "resource");
  if (id.type.toLowerCase() === "applications.core/secretstores" && resource !== undefined) {
    const slash = resource.indexOf("/");
    return slash < 0
      ? { namespace, name: resource }
      : { namespace: resource.slice(0, slash), name: resource.slice(slash + 1) };
  }
  const objects = outputResources.map(({ id }) => objectOfId(id));
  const secret = objects.find((object) => object?.group === "" && object.kind === "Secret");
  return secret === undefined ? undefined : { namespace: secret.namespace ?? namespace, name: secret.name };
}
