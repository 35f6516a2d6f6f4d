import { ApiError, inSlices, type JsonObject, Pace, pauseAfter, ResourceId, type Sliced } from "@rad/core";
import { checkName, compileSchema, type ResourceSchema } from "@rad/resource-types";
import type { Guard, Store, StoredDocument } from "@rad/store";
import type { ServedType, ServedVersion, TypeDirectory } from "./served-type.ts";
import type { ResourceHandler } from "../resource-handler.ts";
import type { TypeModules } from "./type-module.ts";
import { providerType } from "./provider-names.ts";
import {
  listedVersions,
  type ProviderView,
  readProvider,
  registeredSchema,
  registrationSteps,
  type TypeView,
} from "./provider-view.ts";
import type { SeededProvider } from "./seeded-provider.ts";
import { requireScopes } from "../scopes.ts";

export interface TypeRegistryOptions {
  readonly store: Store;
  /** The fixed part of the API, by lower-cased name. */
  readonly system: ReadonlyMap<string, ServedType>;
  readonly modules: TypeModules;
  /** The location whose list of types counts. */
  readonly location: string;
  /** Code behind types that clients register; of it requests need what previews. */
  readonly registered?: ResourceHandler;
}

interface RegisteredType extends ServedType {
  readonly versions: ReadonlySet<string>;
}

interface Registration {
  readonly name: string;
  readonly type: TypeView;
  /** The api-versions that the location lists. */
  readonly listed: ReadonlySet<string> | undefined;
}

/**
 * Knows which types are served. What the store holds is cached per provider: a change in this process drops the cache
 * before its request is answered; a change elsewhere is announced by the store, and until then a type or version that
 * is missing here is looked up once more, and a write that relied on an old schema is refused by its guards and repeated.
 */
export class TypeRegistry implements TypeDirectory, Disposable {
  readonly #options: TypeRegistryOptions;
  readonly #registered: ResourceHandler;
  readonly #providers = new Map<string, Promise<Map<string, RegisteredType> | undefined>>();
  readonly #subscription: Disposable;

  constructor(options: TypeRegistryOptions) {
    this.#options = options;
    const { registered } = options;
    this.#registered =
      registered?.preview === undefined
        ? {}
        : { preview: async (context) => (await registered.preview?.(context)) ?? { changes: [], warnings: [] } };
    const watched = providerType.toLowerCase();
    this.#subscription = options.store.subscribe((event) => {
      if (event.kind === "document" && (event.type === "*" || event.type.startsWith(watched))) {
        this.refresh();
      }
    });
  }

  async resolve(id: ResourceId, apiVersion: string | undefined): Promise<ServedType> {
    const key = id.typeKey;
    const system = this.#options.system.get(key);
    if (system !== undefined && !isMisplaced(id, system)) {
      return system;
    }
    const provider = id.providerKey;
    const known = this.#providers.get(provider);
    let served = (await (known ?? this.#provider(id, provider)))?.get(key);
    if (served?.versions.has(apiVersion ?? "") === true) {
      return served;
    }
    if (known !== undefined) {
      this.#providers.delete(provider);
      served = (await this.#provider(id, provider))?.get(key);
    }
    if (served?.versions.has(apiVersion ?? "") !== true) {
      // A missing group is reported before an unregistered type, as upstream does.
      await requireScopes(this.#options.store, id);
    }
    if (served === undefined) {
      const advice = `Register it with "rad resource-type create -f <manifest>".`;
      throw new ApiError("BadRequest", `The resource type '${id.type}' is not registered. ${advice}`, {
        target: id.toString(),
      });
    }
    return served;
  }

  refresh(): void {
    this.#providers.clear();
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
  }

  #provider(id: ResourceId, key: string): Promise<Map<string, RegisteredType> | undefined> {
    let entry = this.#providers.get(key);
    if (entry === undefined) {
      entry = this.#load(id);
      this.#providers.set(key, entry);
      const forget = (): boolean => this.#providers.delete(key);
      // Failed reads and unknown namespaces are not cached: a caller could make up any number of names.
      entry.then((types) => types === undefined && forget(), forget);
    }
    return entry;
  }

  async #load(id: ResourceId): Promise<Map<string, RegisteredType> | undefined> {
    const view = await readProvider(this.#options.store, id.planeScope, id.namespace);
    if (view === undefined) {
      return undefined;
    }
    return await inSlices(this.#serveAll(view));
  }

  *#serveAll(view: ProviderView): Sliced<Map<string, RegisteredType>> {
    const location = this.#options.location.toLowerCase();
    const place = view.locations.find((item) => ResourceId.parse(item.id).name.toLowerCase() === location);
    const listed: ReturnType<typeof listedVersions> =
      place === undefined ? new Map() : yield* pauseAfter(() => listedVersions(place));
    const namespace = ResourceId.parse(view.provider.id).name;
    const served = new Map<string, RegisteredType>();
    const pace = new Pace();
    for (const type of view.types) {
      const name = `${namespace}/${type.name}`;
      served.set(name.toLowerCase(), this.#serve(view, { name, type, listed: listed.get(type.name.toLowerCase()) }));
      const pause = pace.spend(registrationSteps);
      if (pause !== undefined) {
        yield pause;
      }
    }
    return served;
  }

  #serve(view: ProviderView, { name, type, listed = new Set() }: Registration): RegisteredType {
    const { location, modules } = this.#options;
    const module = modules.get(name);
    const versions = new Map([...listed].map((version) => [version, servedVersion(version, type, name)]));
    if (view.seeded !== undefined) {
      for (const [version, schema] of view.seeded.schemas(type.name)) {
        versions.set(version, builtInVersion(version, schema, view.seeded));
      }
    }
    return {
      versions: new Set(versions.keys()),
      policy: modules.policyFor(name),
      handler: module?.handler ?? (module === undefined ? this.#registered : {}),
      errorTarget: name.toLowerCase(),
      checkName: (resourceName) => checkName("resource", resourceName),
      version: (apiVersion) => {
        const served = apiVersion === undefined ? undefined : versions.get(apiVersion);
        if (served === undefined) {
          throw unsupportedVersion(name, apiVersion, [...versions.keys()], location);
        }
        return served;
      },
    };
  }
}

function servedVersion(name: string, type: TypeView, typeName: string): ServedVersion {
  const document = type.apiVersions.get(name);
  let schema: ResourceSchema | undefined;
  return {
    name,
    guards: registrationGuards(type.document, document),
    get schema(): ResourceSchema | undefined {
      if (document === undefined) {
        // Without the schema, sensitive members are unknown and would be stored in clear.
        throw new ApiError(
          "BadRequest",
          `The api-version '${name}' of '${typeName}' is listed in a location but not registered.`,
        );
      }
      const source = registeredSchema(document);
      return isEmpty(source) ? undefined : (schema ??= compileSchema(source));
    },
  };
}

/** Served as the program describes it, whether or not a location lists it and whatever a client registered. */
function builtInVersion(name: string, source: JsonObject, { document }: SeededProvider): ServedVersion {
  let schema: ResourceSchema | undefined;
  return {
    name,
    // A process of another version of the program may have described it anew.
    guards: [{ kind: "exists", id: document.id, etag: document.etag }],
    get schema(): ResourceSchema | undefined {
      return isEmpty(source) ? undefined : (schema ??= compileSchema(source));
    },
  };
}

function registrationGuards(type: StoredDocument, version: StoredDocument | undefined): Guard[] {
  const guards: Guard[] = [{ kind: "exists", id: type.id }];
  if (version !== undefined) {
    guards.push({ kind: "exists", id: version.id, etag: version.etag });
  }
  return guards;
}

function isEmpty(schema: JsonObject): boolean {
  return Object.keys(schema).length === 0;
}

function unsupportedVersion(
  type: string,
  apiVersion: string | undefined,
  known: readonly string[],
  location: string,
): ApiError {
  if (known.length === 0) {
    return new ApiError("BadRequest", `'${type}' is registered, but not in location '${location}'.`);
  }
  const problem = apiVersion === undefined ? "is missing" : `'${apiVersion}' is not registered`;
  return new ApiError("BadRequest", `The api-version ${problem} for '${type}'. Registered: ${known.join(", ")}.`);
}

/** Planes and groups are scopes, and registrations belong to a plane: below `/providers` of a group they are nothing. */
function isMisplaced(id: ResourceId, { plane }: ServedType): boolean {
  if (id.provider === undefined) {
    return false;
  }
  const [scope] = id.scopes;
  return (
    id.scopes.length > 1 ||
    (plane === undefined
      ? !id.type.toLowerCase().startsWith(providerType.toLowerCase())
      : !id.isUcp || scope?.type.toLowerCase() !== plane)
  );
}
