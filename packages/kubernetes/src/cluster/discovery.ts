import { ApiError, isJsonObject } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ApiClient } from "../api/api-client.ts";
import { untilAborted } from "../api/until-aborted.ts";
import { isUnserved } from "./absence.ts";

/** How the API server serves a kind. */
export interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** In URLs: `deployments`. */
  readonly plural: string;
  readonly isNamespaced: boolean;
}

/** By kind in lower case. */
type ServedKinds = ReadonlyMap<string, ServedKind>;

/** What callers share does not end with one of them; each request has a time limit of its own. */
const never = new AbortController().signal;

/** As versions of Kubernetes can be named, so that nothing else becomes part of a path. */
const versionPattern = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/**
 * Knows which kinds the API server serves, in each version of a group or in the preferred one, as they are asked for. What
 * is not known is looked up once more, since a definition may have been installed meanwhile.
 */
export class Discovery {
  readonly #client: ApiClient;
  /** By group, then by version; under `undefined`, each kind is in the first of the versions that serve it. */
  readonly #groups = new Map<string, Map<string | undefined, Promise<ServedKinds>>>();

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** @param version the preferred one when absent */
  async find(
    {
      group: named,
      version,
      kind: anyCase,
    }: { readonly group: string; readonly version?: string; readonly kind: string },
    signal: AbortSignal,
  ): Promise<ServedKind | undefined> {
    const group = named.toLowerCase(); // ids may come in any case
    const kind = anyCase.toLowerCase();
    const known = this.#groups.get(group)?.get(version);
    const found = known && (await untilAborted(known, signal)).get(kind);
    // Whatever came first, the kinds are looked up at most once for this call.
    return found ?? (await untilAborted(this.#refresh(group, version, known), signal)).get(kind);
  }

  /** For a group whose kinds are not where they were. */
  forget(group: string): void {
    this.#groups.delete(group.toLowerCase());
  }

  async #refresh(
    group: string,
    version: string | undefined,
    known: Promise<ServedKinds> | undefined,
  ): Promise<ServedKinds> {
    const versions = this.#groups.get(group) ?? new Map<string | undefined, Promise<ServedKinds>>();
    this.#groups.set(group, versions);
    const current = versions.get(version);
    if (current !== undefined && current !== known) {
      return await current; // somebody else has just looked it up
    }
    // With the version known, one request does, where the group would first have to be asked for its versions.
    const next = version === undefined ? this.#preferred(group) : this.#kindsOf(group, version);
    versions.set(version, next);
    try {
      return await next;
    } catch (error) {
      if (versions.get(version) === next) {
        versions.delete(version);
      }
      throw error;
    }
  }

  async #preferred(group: string): Promise<ServedKinds> {
    const versions = group === "" ? ["v1"] : await this.#versionsOf(group);
    const lists = await Promise.all(versions.map(async (version) => await this.#kindsOf(group, version)));
    // The preferred version is the first, so it is written last.
    return new Map(lists.toReversed().flatMap((served) => [...served]));
  }

  async #kindsOf(group: string, version: string): Promise<ServedKinds> {
    if (!versionPattern.test(version)) {
      return new Map();
    }
    const path = group === "" ? `/api/${version}` : `/apis/${encodeURIComponent(group)}/${version}`;
    const subject = `Discovery of ${group === "" ? version : `${group}/${version}`}`;
    const list = await this.#orNothing(path, subject);
    if (path === "/api/v1" && list === undefined) {
      const problem = `${this.#client.description} did not answer as an API server does. Check the address.`;
      throw new ApiError("BadRequest", `${subject}: ${problem}`);
    }
    return kindsOf(list, group, version);
  }

  async #versionsOf(group: string): Promise<string[]> {
    const found = await this.#orNothing(`/apis/${encodeURIComponent(group)}`, `Discovery of ${group}`);
    const preferred = isJsonObject(found?.["preferredVersion"]) ? found["preferredVersion"]["version"] : undefined;
    const entries = Array.isArray(found?.["versions"]) ? found["versions"].filter(isJsonObject) : [];
    const versions = entries.flatMap(({ version }) => (typeof version === "string" ? [version] : []));
    return versions.sort((a, b) => Number(b === preferred) - Number(a === preferred));
  }

  async #orNothing(path: string, subject: string): Promise<JsonObject | undefined> {
    try {
      return await this.#client.request({ method: "GET", path, subject, signal: never });
    } catch (error) {
      if (isUnserved(error)) {
        return undefined;
      }
      throw error;
    }
  }
}

function kindsOf(list: JsonObject | undefined, group: string, version: string): Map<string, ServedKind> {
  const resources = Array.isArray(list?.["resources"]) ? list["resources"].filter(isJsonObject) : [];
  const served = resources.flatMap(({ name, kind, namespaced }): ServedKind[] => {
    const isKind = typeof name === "string" && typeof kind === "string" && !name.includes("/"); // pods/log, pods/status
    return isKind ? [{ group, version, kind, plural: name, isNamespaced: namespaced === true }] : [];
  });
  return new Map(served.map((each) => [each.kind.toLowerCase(), each]));
}
