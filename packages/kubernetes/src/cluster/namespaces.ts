import { ApiError, objectMember } from "@rad/core";
import { untilAborted } from "../api/until-aborted.ts";
import type { ApiClient } from "../api/api-client.ts";
import { fieldManager, namespaceObject } from "../namespace-object.ts";

/** What callers share does not end with one of them; the request has a time limit of its own. */
const never = new AbortController().signal;

/** Makes sure of namespaces before the first object in them. One call per namespace, however many objects there are. */
export class Namespaces {
  readonly #client: ApiClient;
  readonly #ensured = new Map<string, Promise<ApiError | undefined>>();

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /**
   * Resolves to why we have not written the namespace, if it was left to others; it may or may not exist then.
   * @throws ApiError `Conflict` while the namespace is being deleted.
   */
  async ensure(name: string, signal: AbortSignal): Promise<ApiError | undefined> {
    const known = this.#ensured.get(name);
    if (known !== undefined) {
      return await untilAborted(known, signal);
    }
    const ensuring = this.#apply(name).catch((error: unknown) => {
      this.forget(name);
      throw error;
    });
    this.#ensured.set(name, ensuring);
    return await untilAborted(ensuring, signal);
  }

  /** For a namespace that has turned out to be gone. */
  forget(name: string): void {
    this.#ensured.delete(name);
  }

  async #apply(name: string): Promise<ApiError | undefined> {
    const subject = `Namespace '${name}'`;
    try {
      const applied = await this.#client.request({
        method: "PATCH",
        path: `/api/v1/namespaces/${encodeURIComponent(name)}`,
        query: { fieldManager, fieldValidation: "Strict" },
        contentType: "application/apply-patch+yaml",
        body: namespaceObject(name),
        subject,
        signal: never,
      });
      if (objectMember(applied, "metadata")["deletionTimestamp"] !== undefined) {
        const problem = `${subject} of ${this.#client.description} is being deleted.`;
        throw new ApiError("Conflict", `${problem} Wait until it is gone, then deploy again.`, { transient: true });
      }
      return undefined;
    } catch (error) {
      if (error instanceof ApiError && isLeftToOthers(error)) {
        return error;
      }
      throw error;
    }
  }
}

/**
 * A namespace whose label somebody else has set is there, and stays as it is. Whoever may not write namespaces may still
 * write into those that there are.
 */
function isLeftToOthers({ code, transient }: ApiError): boolean {
  return !transient && (code === "Conflict" || code === "Forbidden");
}
