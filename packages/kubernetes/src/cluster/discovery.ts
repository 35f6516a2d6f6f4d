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

interface ServedGroup {
  /** By kind in lower case, in the first of the versions that serve it; the preferred one comes first. */
  readonly kinds: ReadonlyMap<string, ServedKind>;
  readonly byVersion: ReadonlyMap<string, ReadonlyMap<string, ServedKind>>;
}

/** What callers share does not end with one of them; each request has a time limit of its own. */
const never = new AbortController().signal;

/**
 * Knows which kinds the API server serves, group by group, as they are asked for. What is not known is looked up once
 * more, since a definition may have been installed meanwhile.
 */
export class Discovery {
  readonly #client: ApiClient;
  readonly #groups = new Map<string, Promise<ServedGroup>>();

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** @param version the preferred one when absent */
  async find(
    { group: named, version, kind }: { readonly group: string; readonly version?: string; readonly kind: string },
    signal: AbortSignal,
  ): Promise<ServedKind | undefined> {
    const group = named.toLowerCase(); // ids may come in any case
    const known = this.#groups.get(group);
    const found = known && pick(await untilAborted(known, signal), version, kind);
    // Whatever came first, the group is looked up at most once for this call.
    return found ?? pick(await untilAborted(this.#refresh(group, known), signal), version, kind);
  }

  /** For a group whose kinds are not where they were. */
  forget(group: string): void {
    this.#groups.delete(group.toLowerCase());
  }

  async #refresh(group: string, known: Promise<ServedGroup> | undefined): Promise<ServedGroup> {
    const current = this.#groups.get(group);
    if (current !== undefined && current !== known) {
      return await current; // somebody else has just looked it up
    }
    const next = this.#lookUp(group);
    this.#groups.set(group, next);
    try {
      return await next;
    } catch (error) {
      if (this.#groups.get(group) === next) {
        this.#groups.delete(group);
      }
      throw error;
    }
  }

  async #lookUp(group: string): Promise<ServedGroup> {
    const versions = group === "" ? ["v1"] : await this.#versionsOf(group);
    const lists = await Promise.all(
      versions.map(async (version) => {
        const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
        const subject = `Discovery of ${group === "" ? version : `${group}/${version}`}`;
        const list = await this.#orNothing(path, subject);
        if (group === "" && list === undefined) {
          const problem = `${this.#client.description} did not answer as an API server does. Check the address.`;
          throw new ApiError("BadRequest", `${subject}: ${problem}`);
        }
        return [version, kindsOf(list, group, version)] as const;
      }),
    );
    // The preferred version is the first, so it is written last.
    const kinds = new Map(lists.toReversed().flatMap(([, served]) => [...served]));
    return { kinds, byVersion: new Map(lists) };
  }

  async #versionsOf(group: string): Promise<string[]> {
    const found = await this.#orNothing(`/apis/${group}`, `Discovery of ${group}`);
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

function pick({ kinds, byVersion }: ServedGroup, version: string | undefined, kind: string): ServedKind | undefined {
  return (version === undefined ? kinds : byVersion.get(version))?.get(kind.toLowerCase());
}

function kindsOf(list: JsonObject | undefined, group: string, version: string): Map<string, ServedKind> {
  const resources = Array.isArray(list?.["resources"]) ? list["resources"].filter(isJsonObject) : [];
  const served = resources.flatMap(({ name, kind, namespaced }): ServedKind[] => {
    const isKind = typeof name === "string" && typeof kind === "string" && !name.includes("/"); // pods/log, pods/status
    return isKind ? [{ group, version, kind, plural: name, isNamespaced: namespaced === true }] : [];
  });
  return new Map(served.map((each) => [each.kind.toLowerCase(), each]));
}
