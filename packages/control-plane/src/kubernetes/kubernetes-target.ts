import { ApiError, isJsonObject, type JsonObject, type JsonValue, objectMember } from "@rad/core";
import type {
  ActionOrder,
  ChangeOrder,
  ContentOrder,
  Deleted,
  ExternalPut,
  ExternalSent,
  ExternalTarget,
  FinishOrder,
  PreviewOrder,
  ReadOrder,
  ResourceOrder,
  TypeOrder,
} from "@rad/deployments";
import type { KubernetesObject, ObjectName, ObjectTarget } from "@rad/kubernetes";
import { idOfObject, nameOf, objectOfId } from "@rad/kubernetes";
import type { ResourcePreview } from "@rad/resources";
import { isClusterScoped } from "./cluster-scoped.ts";
import { changedSecrets, hidden, mergedObject, type SecretContent, withDigests } from "./object-content.ts";
import type { ObjectTargets } from "./object-targets.ts";

const version = /^v\d+(?:(?:alpha|beta)\d+)?$/;
const kind = /^[A-Z][A-Za-z0-9]*$/;

/** Objects that templates describe through `extension kubernetes`. Applying one again does no harm, so no key is kept. */
export class KubernetesTarget implements ExternalTarget {
  readonly #targets: ObjectTargets;

  constructor(targets: ObjectTargets) {
    this.#targets = targets;
  }

  /** Only what can be told without a cluster: the template may bring the definition of the kind along. */
  async checkType({ type, apiVersion }: TypeOrder): Promise<void> {
    const [name] = type.split("/").slice(-1);
    if (!type.includes("/") || name === undefined || !kind.test(name)) {
      throw new ApiError(
        "BadRequest",
        `'${type}' is not a type of Kubernetes objects, which are written 'group/Kind@version', as in 'core/Service@v1'.`,
      );
    }
    if (apiVersion === undefined || !version.test(apiVersion)) {
      throw new ApiError(
        "BadRequest",
        `'${apiVersion ?? ""}' is not a version of Kubernetes objects, such as 'v1' or 'v1beta1'.`,
      );
    }
  }

  async put(order: ExternalPut): Promise<ExternalSent> {
    const target = await this.#open(order);
    const { signal } = order;
    const object = wantedObject(order);
    const name = nameOf(object);
    const id = idOfObject(name);
    const needsCurrent = order.onlyIfAbsent || order.method === "PATCH";
    const current = needsCurrent ? await target.read(name, { signal }) : undefined;
    if (current !== undefined && order.onlyIfAbsent) {
      return { kind: "done", change: "none", id, body: bodyOf(id, current, order) };
    }
    const applied = await target.apply(contentFor(target, object, current, order), { signal });
    const change = ({ created: "create", changed: "modify", unchanged: "none" } as const)[applied.change];
    return { kind: "done", change, id, body: bodyOf(id, applied.object, order) };
  }

  async finish(_order: FinishOrder): Promise<never> {
    throw new ApiError("NotFound", "Kubernetes objects are applied at once: nothing is under way.");
  }

  async read(order: ReadOrder): Promise<JsonObject | undefined> {
    const name = order.id === undefined ? nameIn(order) : objectOfId(order.id);
    if (name === undefined) {
      return undefined;
    }
    const object = await (await this.#open(order)).read(name, { signal: order.signal });
    return object && bodyOf(idOfObject(nameOf(object)), object, { body: {}, secrets: [] });
  }

  async delete(order: ChangeOrder): Promise<Deleted> {
    const name = order.id === undefined ? undefined : objectOfId(order.id);
    if (name !== undefined) {
      await (await this.#open(order)).delete(name, { signal: order.signal });
    }
    return { kind: "done" };
  }

  async finishDelete(): Promise<void> {}

  async act({ action, type }: ActionOrder): Promise<JsonValue> {
    throw new ApiError(
      "BadRequest",
      `Kubernetes objects have no actions, so '${action}' of '${type}' cannot be called.`,
    );
  }

  async preview(order: PreviewOrder): Promise<ResourcePreview> {
    const target = await this.#open(order);
    const { signal, secrets } = order;
    const object = wantedObject(order);
    const current = order.method === "PATCH" ? await target.read(nameOf(object), { signal }) : undefined;
    const { before, after } = await target.preview(contentFor(target, object, current, order), { signal });
    return {
      before: before && hidden(before, order),
      after: hidden(before !== undefined && order.onlyIfAbsent ? before : after, order),
      changedSecrets: order.onlyIfAbsent && before !== undefined ? [] : changedSecrets(before, after, secrets),
      warnings: [],
    };
  }

  #open({ extension }: Pick<ResourceOrder, "extension">): Promise<ObjectTarget> {
    const { kubeConfig, context } = extension?.config ?? {};
    return this.#targets.ofTemplate({ kubeConfig: textOf(kubeConfig), context: textOf(context) });
  }
}

/** The object of the template, in the namespace of the extension unless it names one. @throws ApiError */
function wantedObject(order: ContentOrder): KubernetesObject {
  const { body, type, extension } = order;
  const metadata = objectMember(body, "metadata");
  const { name, namespace } = metadata;
  if (typeof name !== "string" || name === "") {
    throw new ApiError("BadRequest", `An object of the type '${type}' needs a name: set metadata.name.`);
  }
  if (namespace !== undefined && typeof namespace !== "string") {
    throw new ApiError("BadRequest", `metadata.namespace of the ${type} '${name}' must be a text.`);
  }
  const object = { ...body, metadata: { ...metadata, name } } as KubernetesObject;
  if (namespace === undefined && !isClusterScoped(nameOf(object))) {
    object.metadata.namespace = textOf(extension?.config["namespace"]) ?? "default";
  }
  return object;
}

/** `undefined` where the template names no object that could exist. */
function nameIn(order: ReadOrder): ObjectName | undefined {
  const { body } = order;
  const { name, namespace = "" } = objectMember(body ?? {}, "metadata");
  const isNamed = typeof name === "string" && name !== "" && typeof namespace === "string";
  return body !== undefined && isNamed
    ? nameOf(wantedObject({ ...order, body, method: "PUT", secrets: [], onlyIfAbsent: false }))
    : undefined;
}

/** A folder keeps no secret in clear, wherever in an object it is. */
function contentFor(
  target: ObjectTarget,
  object: KubernetesObject,
  current: KubernetesObject | undefined,
  { secrets }: ContentOrder,
): KubernetesObject {
  const kept = target.kind === "folder" ? withDigests(object, secrets) : object;
  return current === undefined ? kept : mergedObject(current, kept);
}

function bodyOf(id: string, object: KubernetesObject, content: SecretContent): JsonObject {
  return { ...hidden(object, content), ...(isJsonObject(object["status"]) ? { status: object["status"] } : {}), id };
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
