import { ApiError } from "./api-error.ts";

/** One `type/name` pair; without a name it stands for the collection (or, on a POST, for an action). */
export interface IdSegment {
  readonly type: string;
  readonly name?: string;
}

/** What follows one `/providers/`: a namespace and the nested types below it. */
export interface ProviderPart {
  readonly namespace: string;
  readonly types: readonly IdSegment[];
}

export type IdKind =
  | "scope"
  | "scopeCollection"
  | "resource"
  | "resourceCollection"
  | "extensionResource"
  | "extensionCollection";

/** Plane types whose namespace is not spelled like their name in URLs. */
const planeNamespaces: Readonly<Record<string, string>> = {
  radius: "System.Radius",
  azure: "System.Azure",
  aws: "System.AWS",
};

/**
 * The address of anything the control plane knows, in the grammar of ARM extended with planes:
 *
 *     /planes/radius/local/resourceGroups/dev/providers/Applications.Core/containers/web
 *
 * Two ids are the same when they are equal ignoring case; the casing they were written with is kept for display.
 */
export class ResourceId {
  /** Starts with `/planes`; the others are ARM's own relative ids such as `/subscriptions/…`. */
  readonly isUcp: boolean;
  readonly scopes: readonly IdSegment[];
  readonly provider: ProviderPart | undefined;
  readonly extension: ProviderPart | undefined;
  #text: string | undefined;
  #type: string | undefined;
  #rootScope: string | undefined;
  #planeScope: string | undefined;
  #key: string | undefined;
  #typeKey: string | undefined;
  #providerKey: string | undefined;

  constructor(isUcp: boolean, scopes: readonly IdSegment[], provider?: ProviderPart, extension?: ProviderPart) {
    this.isUcp = isUcp;
    this.scopes = scopes;
    this.provider = provider;
    this.extension = extension;
  }

  /** @throws ApiError `BadRequest` naming the text when it is not an id. */
  static parse(text: string): ResourceId {
    const id = ResourceId.tryParse(text);
    if (id === undefined) {
      throw new ApiError("BadRequest", `'${shorten(text)}' is not a valid resource id.`);
    }
    return id;
  }

  static tryParse(text: string): ResourceId | undefined {
    // A leading `//` would turn a Location header into a link to another host.
    if (!text.startsWith("/") || text.startsWith("//")) {
      return undefined;
    }
    const body = text.slice(1, text.endsWith("/") ? -1 : undefined);
    if (body === "") {
      return new ResourceId(false, []);
    }
    if (body.toLowerCase() === "planes") {
      return new ResourceId(true, []);
    }
    const segments = body.split("/");
    if (segments.includes("")) {
      return undefined;
    }
    const isUcp = segments[0] === "planes";
    return parseSegments(isUcp, isUcp ? segments.slice(1) : segments);
  }

  get kind(): IdKind {
    const last = this.#lastSegment();
    const named = last === undefined || last.name !== undefined;
    if (this.extension !== undefined) {
      return named ? "extensionResource" : "extensionCollection";
    }
    if (this.provider !== undefined) {
      return named ? "resource" : "resourceCollection";
    }
    return named ? "scope" : "scopeCollection";
  }

  /** Everything before the first `providers`. */
  get rootScope(): string {
    this.#rootScope ??= renderScopes(this.isUcp, this.scopes);
    return this.#rootScope;
  }

  /** The first scope pair that is not a resource group: `/planes/radius/local` or `/subscriptions/{guid}`. */
  get planeScope(): string {
    this.#planeScope ??= this.#readPlaneScope();
    return this.#planeScope;
  }

  #readPlaneScope(): string {
    const plane = this.scopes.find((scope) => scope.type.toLowerCase() !== "resourcegroups");
    return renderScopes(this.isUcp, plane === undefined ? [] : [plane]);
  }

  get resourceGroup(): string | undefined {
    return this.scopes.find((scope) => scope.type.toLowerCase() === "resourcegroups")?.name;
  }

  /** The same for all types of one namespace in one plane. */
  get providerKey(): string {
    this.#providerKey ??= `${this.planeScope}/providers/${this.namespace}`.toLowerCase();
    return this.#providerKey;
  }

  get namespace(): string {
    return (this.extension ?? this.provider)?.namespace ?? "";
  }

  /** `Namespace/type/childType`; for planes and groups the type they are stored under; empty for other scopes. */
  get type(): string {
    this.#type ??= this.#readType();
    return this.#type;
  }

  /** The type in lower case, by which types are found. */
  get typeKey(): string {
    this.#typeKey ??= this.type.toLowerCase();
    return this.#typeKey;
  }

  #readType(): string {
    const part = this.extension ?? this.provider;
    if (part !== undefined) {
      return [part.namespace, ...part.types.map((segment) => segment.type)].join("/");
    }
    const [plane, group, ...rest] = this.scopes;
    if (!this.isUcp || plane === undefined || rest.length > 0) {
      return "";
    }
    if (group === undefined) {
      const known = Object.hasOwn(planeNamespaces, plane.type) ? planeNamespaces[plane.type] : undefined;
      return `${known ?? `System.${plane.type}`}/planes`;
    }
    return group.type.toLowerCase() === "resourcegroups" ? "System.Resources/resourceGroups" : "";
  }

  get name(): string {
    return this.#lastSegment()?.name ?? "";
  }

  /** All names of the resource joined by `/`, the parents first. */
  get qualifiedName(): string {
    const segments = (this.extension ?? this.provider)?.types ?? this.scopes.slice(-1);
    return segments.flatMap((segment) => segment.name ?? []).join("/");
  }

  /** Drops the last type and name, which leaves the parent. A top-level resource has none and stays as it is. */
  truncate(): ResourceId {
    if (this.extension !== undefined) {
      const types = withoutLast(this.extension.types);
      return new ResourceId(this.isUcp, this.scopes, this.provider, { ...this.extension, types });
    }
    if (this.provider !== undefined) {
      const types = withoutLast(this.provider.types);
      return new ResourceId(this.isUcp, this.scopes, { ...this.provider, types });
    }
    return new ResourceId(this.isUcp, this.scopes.slice(0, -1));
  }

  /** The resource that an extension resource, or a collection of such, belongs to. */
  get extended(): ResourceId | undefined {
    return this.extension === undefined ? undefined : new ResourceId(this.isUcp, this.scopes, this.provider);
  }

  /** The id of something directly below this one. */
  child(type: string, name: string): ResourceId {
    return ResourceId.parse(`${this.toString()}/${type}/${name}`);
  }

  equals(other: ResourceId): boolean {
    return this.key === other.key;
  }

  /** Same for every spelling of the same id; what stores use as their key. */
  get key(): string {
    this.#key ??= this.toString().toLowerCase();
    return this.#key;
  }

  toString(): string {
    this.#text ??= `${this.rootScope}${renderProvider(this.provider)}${renderProvider(this.extension)}` || "/";
    return this.#text;
  }

  #lastSegment(): IdSegment | undefined {
    return ((this.extension ?? this.provider)?.types ?? this.scopes).at(-1);
  }
}

/**
 * An id, or the beginning of one, with `resourceGroups` below a plane in lower case. Everything that the control plane
 * stores is spelled like that, as upstream does it: clients compare ids as text. Azure has resource groups as well,
 * further down; those stay as they are.
 */
export function withLowerCaseGroup(id: string): string {
  return id.replace(/^(\/planes\/[^/]+\/[^/]+\/)resourcegroups(?=\/|$)/i, "$1resourcegroups");
}

/** Namespaces that upstream serves from its applications service; `Radius.Core` is not one of them. */
export function isBuiltInNamespace(namespace: string): boolean {
  return builtInNamespaces.has(namespace.toLowerCase());
}

const builtInNamespaces = new Set([
  "applications.core",
  "applications.dapr",
  "applications.messaging",
  "applications.datastores",
]);

function parseSegments(isUcp: boolean, segments: readonly string[]): ResourceId | undefined {
  const parts = splitAtProviders(segments);
  const [scopeSegments = [], ...providerSegments] = parts;
  const hasProviders = providerSegments.length > 0;
  if (providerSegments.length > 2 || (hasProviders && scopeSegments.length % 2 === 1)) {
    return undefined;
  }
  const [provider, extension] = providerSegments.map(parseProvider);
  const baseIsNamed = providerSegments.length < 2 || provider?.types.at(-1)?.name !== undefined;
  const incomplete = [provider, extension].slice(0, providerSegments.length).includes(undefined);
  if (incomplete || !baseIsNamed) {
    return undefined;
  }
  return new ResourceId(isUcp, pairs(scopeSegments), provider, extension);
}

function splitAtProviders(segments: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  for (const segment of segments) {
    if (segment.toLowerCase() === "providers") {
      parts.push([]);
    } else {
      parts.at(-1)?.push(segment);
    }
  }
  return parts;
}

function parseProvider(segments: readonly string[]): ProviderPart | undefined {
  const [namespace, ...types] = segments;
  return namespace === undefined || types.length === 0 ? undefined : { namespace, types: pairs(types) };
}

function pairs(segments: readonly string[]): IdSegment[] {
  const result: IdSegment[] = [];
  for (let index = 0; index < segments.length; index += 2) {
    const type = segments[index] ?? "";
    const name = segments[index + 1];
    result.push(name === undefined ? { type } : { type, name });
  }
  return result;
}

function withoutLast(types: readonly IdSegment[]): readonly IdSegment[] {
  return types.length > 1 ? types.slice(0, -1) : types;
}

function renderScopes(isUcp: boolean, scopes: readonly IdSegment[]): string {
  return `${isUcp ? "/planes" : ""}${scopes.map(renderSegment).join("")}`;
}

function renderProvider(part: ProviderPart | undefined): string {
  return part === undefined ? "" : `/providers/${part.namespace}${part.types.map(renderSegment).join("")}`;
}

function renderSegment(segment: IdSegment): string {
  return segment.name === undefined ? `/${segment.type}` : `/${segment.type}/${segment.name}`;
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
