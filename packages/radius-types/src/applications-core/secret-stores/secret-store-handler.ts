import { ApiError, objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { idOfObject, type ObjectName, objectOfId } from "@rad/kubernetes";
import type { ActionContext, Done, HandlerContext, ResourceHandler, Validated, ValidateRequest } from "@rad/resources";
import type { TargetDeps } from "../../namespaces/target-deps.ts";
import { checkSize } from "../../rendering/check-size.ts";
import { listMember, sortedMembers, textMember } from "../../rendering/members.ts";
import { checkSecretStore } from "./check-secret-store.ts";
import { listSecrets, listSecretsOf } from "./list-secrets.ts";
import { type SecretEntry, secretEntries } from "./secret-entries.ts";
import { isOwnSecret } from "./secret-object.ts";
import { secretName, type SecretPlace, secretPlace } from "./secret-place.ts";
import { writeSecret } from "./write-secret.ts";

export interface SecretStoreDeps extends TargetDeps {
  /** Where Secrets of stores go that belong to no application and no environment; `radius-system` when absent. */
  readonly controlPlaneNamespace?: string;
}

/**
 * Keeps the values of a store in a Secret, which it makes or refers to. In a cluster the Secret alone has them. A folder
 * of manifests has no values, so they are sealed in our own store there.
 */
export function secretStoreHandler(deps: SecretStoreDeps): ResourceHandler {
  return {
    validate,
    put: (context) => put(deps, context),
    delete: (context) => remove(deps, context),
    actions: { listSecrets: (context) => readSecretStore(deps, context) },
  };
}

/** A request may leave out the place of the Secret that an earlier one found. */
function validate(request: ValidateRequest): Validated | undefined {
  const { properties, current } = request;
  checkSize(request.id, properties);
  checkSecretStore(request);
  const resource = textMember(objectMember(current?.body ?? {}, "properties"), "resource");
  return resource === undefined ? undefined : { properties: { ...properties, resource } };
}

async function put(deps: SecretStoreDeps, context: HandlerContext): Promise<Done> {
  const { id, properties, status, resources, signal } = context;
  const { controlPlaneNamespace = "radius-system" } = deps;
  const place = await secretPlace({ id, properties }, resources, controlPlaneNamespace);
  const sealed = await resources.asServer.secrets(id.toString());
  const entries = withSealed(secretEntries(properties, await context.secrets()), sealed);
  if (place.isSimulated) {
    return done(context, place, { kept: entries });
  }
  const target = await deps.target();
  const wasOwn = recordedSecret(status)?.radiusManaged === true;
  const isOwn = await writeSecret(target, { id, properties, entries, place, wasOwn }, { signal });
  return done(context, place, { kept: target.kind === "folder" ? entries : [], isOwn });
}

async function remove(deps: SecretStoreDeps, { id, status, signal }: HandlerContext): Promise<void> {
  const recorded = recordedSecret(status);
  if (recorded?.radiusManaged !== true) {
    return;
  }
  const target = await deps.target();
  const secret = await target.read(recorded.name, { signal });
  if (secret !== undefined && isOwnSecret(id, secret)) {
    await target.delete(recorded.name, { signal });
  }
}

/** What `listSecrets` answers: from the Secret behind the store where a cluster has it, else from the sealed values. */
export async function readSecretStore(
  deps: TargetDeps,
  context: Pick<ActionContext, "properties" | "status" | "secrets" | "requester" | "signal">,
): Promise<JsonObject> {
  const { properties, status, requester, signal } = context;
  const recorded = recordedSecret(status);
  const target = recorded === undefined ? undefined : await deps.target();
  if (recorded === undefined || target?.kind !== "cluster") {
    return listSecrets(properties, await context.secrets());
  }
  const secret = await target.read(recorded.name, { signal });
  if (secret === undefined) {
    const { namespace = "", name } = recorded.name;
    throw new ApiError("Internal", `referenced secret is not found: '${namespace}/${name}'.`);
  }
  const listed = listSecretsOf(secret, properties);
  requester.hide(valuesOf(listed));
  return listed;
}

interface Outcome {
  /** The values to seal. */
  readonly kept: readonly SecretEntry[];
  /** Absent when there is no Secret. */
  readonly isOwn?: boolean;
}

function done({ properties, status }: HandlerContext, place: SecretPlace, { kept, isOwn }: Outcome): Done {
  const values = new Map(kept.map(({ key, pointer, value }) => [key, { pointer, value }]));
  const given = objectMember(properties, "data");
  const data = Object.keys(given).map((key) => {
    const { value: _value, ...rest } = objectMember(given, key);
    return [key, values.get(key)?.value === undefined ? rest : { ...rest, value: null }] as const;
  });
  const output = { localId: "Secret", id: idOfObject(secretName(place)), radiusManaged: isOwn === true };
  return {
    kind: "done",
    properties: {
      ...properties,
      data: Object.fromEntries(data),
      resource: `${place.namespace}/${place.name}`,
      status: { ...status, outputResources: isOwn === undefined ? [] : [output] },
    },
    secrets: Object.fromEntries(
      [...values.values()].flatMap(({ pointer, value }) => (value === undefined ? [] : [[pointer, value]])),
    ),
  };
}

/** A key without a value keeps the one that is sealed, if any. */
function withSealed(
  entries: readonly SecretEntry[],
  sealed: Readonly<Record<string, JsonValue>>,
): readonly SecretEntry[] {
  return entries.map((entry) => {
    const before = sealed[entry.pointer];
    return { ...entry, value: entry.value ?? (typeof before === "string" ? before : undefined) };
  });
}

interface RecordedSecret {
  readonly name: ObjectName;
  /** We made it; another one belongs to whoever the store refers to. */
  readonly radiusManaged: boolean;
}

/** None for simulated environments, and for stores from before the server deployed anything. */
function recordedSecret(status: JsonObject): RecordedSecret | undefined {
  const [output] = listMember(status, "outputResources");
  const name = objectOfId(textMember(output ?? {}, "id") ?? "");
  return name === undefined ? undefined : { name, radiusManaged: output?.["radiusManaged"] === true };
}

function valuesOf(listed: JsonObject): readonly string[] {
  return sortedMembers(objectMember(listed, "data")).flatMap(([, entry]) => textMember(entry, "value") ?? []);
}
