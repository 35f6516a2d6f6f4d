import { createHash } from "node:crypto";
import { ApiError } from "@rad/core";
import type { ClusterConfig, ObjectTarget, ObjectTargetConfig } from "@rad/kubernetes";

/** Where the objects of this server go. */
export interface TargetPlace {
  readonly kubeConfig: string | undefined;
  readonly context: string | undefined;
  readonly inCluster: boolean;
  /** For a server without a cluster. */
  readonly manifests: string;
}

/** What a template says about the cluster of its objects. */
export interface TemplateCluster {
  /** The kube config itself, as it is or in Base64. */
  readonly kubeConfig: string | undefined;
  readonly context: string | undefined;
}

type OpenTarget = ObjectTarget & AsyncDisposable;

/** Clusters of templates that stay connected. */
const maxClusters = 16;

/** Opens each target once, at its first use, and closes them all when the server stops. */
export class ObjectTargets implements AsyncDisposable {
  readonly #place: TargetPlace;
  #server: Promise<OpenTarget> | undefined;
  /** By a digest of their kube config, the one that was used last at the end. */
  readonly #clusters = new Map<string, Promise<OpenTarget>>();

  constructor(place: TargetPlace) {
    this.#place = place;
  }

  /** @throws ApiError for a kube config that cannot be used; the next call tries again. */
  async ofServer(): Promise<ObjectTarget> {
    const opening = (this.#server ??= open(configOf(this.#place)));
    return await opening.catch((error: unknown) => {
      if (this.#server === opening) {
        this.#server = undefined; // the file may be corrected meanwhile
      }
      throw error;
    });
  }

  /** @throws ApiError when the template names a context without the kube config that has it. */
  async ofTemplate({ kubeConfig, context }: TemplateCluster): Promise<ObjectTarget> {
    if (kubeConfig !== undefined) {
      return await this.#cluster({ kind: "kubeConfigText", text: decoded(kubeConfig), context });
    }
    // The other contexts of the server's kube config are not for those who write templates.
    if (context !== undefined && context !== this.#place.context) {
      throw new ApiError(
        "BadRequest",
        `The extension names the context '${context}', but no kube config that has it. Set kubeConfig as well, ` +
          "or leave both out to deploy to the cluster of the server.",
      );
    }
    return await this.ofServer();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = [...this.#clusters.values(), ...(this.#server === undefined ? [] : [this.#server])];
    await Promise.allSettled(opened.map(close));
  }

  async #cluster(config: ClusterConfig): Promise<OpenTarget> {
    const key = createHash("sha256").update(JSON.stringify(config)).digest("hex");
    const opening = this.#clusters.get(key) ?? open(config);
    this.#clusters.delete(key);
    this.#clusters.set(key, opening);
    const [oldest] = this.#clusters.keys();
    if (this.#clusters.size > maxClusters && oldest !== undefined) {
      const closing = this.#clusters.get(oldest);
      this.#clusters.delete(oldest);
      await closing?.then((target) => target[Symbol.asyncDispose]()).catch(() => {});
    }
    return await opening.catch((error: unknown) => {
      this.#clusters.delete(key);
      throw error;
    });
  }
}

async function open(config: ObjectTargetConfig): Promise<OpenTarget> {
  const { openObjectTarget } = await import("@rad/kubernetes");
  return await openObjectTarget(config);
}

async function close(opening: Promise<OpenTarget>): Promise<void> {
  await (await opening)[Symbol.asyncDispose]();
}

function configOf({ kubeConfig, context, inCluster, manifests }: TargetPlace): ObjectTargetConfig {
  if (kubeConfig !== undefined) {
    return { kind: "kubeConfig", file: kubeConfig, context };
  }
  return inCluster ? { kind: "inCluster" } : { kind: "folder", path: manifests };
}

/** A kube config is YAML or JSON, which always has a character that Base64 does not. */
function decoded(text: string): string {
  return /^[\w+/=\s-]*$/.test(text) ? Buffer.from(text, "base64").toString("utf8") : text;
}
