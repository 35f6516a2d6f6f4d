import type { Client, ProviderSummary, ResourceTypeSummary } from "@rad/client";
import { ClientError } from "@rad/client";
import { CliError } from "../cli-error.ts";

/** A registered type, in the spelling it was registered with. */
export interface KnownType {
  readonly namespace: string;
  readonly name: string;
  /** `Namespace/name`. */
  readonly fullName: string;
  /** The type's default version, else its newest. */
  readonly apiVersion: string;
  readonly summary: ResourceTypeSummary;
}

export interface TypeLookup {
  /** `Namespace/type` in any case, or just `type` when only one namespace has it. @throws CliError */
  find(text: string): Promise<KnownType>;
  /** The same, and every type of the name when several namespaces have it. @throws CliError */
  findAll(text: string): Promise<readonly KnownType[]>;
  all(): Promise<KnownType[]>;
}

/** Whether a type is named in full, so that with an api-version nothing about it has to be asked. */
export function isFullTypeName(text: string): boolean {
  return /^[^/]+\/[^/]+$/.test(text);
}

/**
 * For a request with a type that nobody has looked up, and that failed.
 * @throws CliError when the reason is that there is no such type
 */
export async function explainUnknownType(types: TypeLookup, text: string, error: unknown): Promise<void> {
  const isRefusal = error instanceof ClientError && error.status !== undefined;
  if (isRefusal) {
    await types.find(text);
  }
}

/** Asks the control plane what types there are, each question at most once. */
export function createTypeLookup(client: Client): TypeLookup {
  const byNamespace = new Map<string, Promise<ProviderSummary | undefined>>();
  let everything: Promise<ProviderSummary[]> | undefined;

  const all = async (): Promise<KnownType[]> => {
    everything ??= client.providers.summaries();
    return (await everything).flatMap(typesOf).sort((a, b) => (a.fullName < b.fullName ? -1 : 1));
  };
  const inFull = async (text: string): Promise<KnownType> => {
    const [namespace = "", name = "", ...rest] = text.split("/");
    if (namespace === "" || name === "" || rest.length > 0) {
      throw new CliError("InvalidResourceType", `"${text}" is not a resource type. Write it as Namespace/type.`);
    }
    const key = namespace.toLowerCase();
    const summary = byNamespace.get(key) ?? summaryOf(client, namespace);
    byNamespace.set(key, summary);
    const provider = await summary;
    const found = provider === undefined ? undefined : typesOf(provider).find((type) => sameText(type.name, name));
    return found ?? missing(text);
  };
  return {
    all,
    find: async (text) => (text.includes("/") ? await inFull(text) : onlyOne(text, await all())),
    findAll: async (text) => (text.includes("/") ? [await inFull(text)] : ofName(text, await all())),
  };
}

async function summaryOf(client: Client, namespace: string): Promise<ProviderSummary | undefined> {
  try {
    return await client.providers.summary(namespace);
  } catch (error) {
    if (error instanceof ClientError && error.isNotFound) {
      return undefined;
    }
    throw error;
  }
}

function typesOf(provider: ProviderSummary): KnownType[] {
  return Object.entries(provider.resourceTypes).map(([name, summary]) => ({
    namespace: provider.name,
    name,
    fullName: `${provider.name}/${name}`,
    apiVersion: preferredVersion(summary),
    summary,
  }));
}

function preferredVersion(summary: ResourceTypeSummary): string {
  const preferred = summary["defaultApiVersion"];
  if (typeof preferred === "string" && preferred !== "") {
    return preferred;
  }
  // Versions start with a date, so the last in text order is the newest; `-preview` comes after the plain date only
  // in text, not in meaning.
  const versions = Object.keys(summary.apiVersions).sort();
  const newest = versions.at(-1) ?? "";
  const released = newest.replace(/-preview$/, "");
  return versions.includes(released) ? released : newest;
}

function onlyOne(text: string, types: readonly KnownType[]): KnownType {
  const [found, ...others] = ofName(text, types);
  if (found !== undefined && others.length > 0) {
    const names = [found, ...others].map((type) => type.fullName).join(", ");
    throw new CliError("AmbiguousResourceType", `"${text}" can be any of: ${names}. Write it as Namespace/type.`);
  }
  return found ?? missing(text);
}

function ofName(text: string, types: readonly KnownType[]): readonly KnownType[] {
  const found = types.filter((type) => sameText(type.name, text));
  return found.length === 0 ? missing(text) : found;
}

function missing(text: string): never {
  throw new CliError(
    "ResourceTypeNotFound",
    `The resource type "${text}" does not exist. Run \`rad resource-type list\` to see the types there are.`,
    { missing: { kind: "types", name: text } },
  );
}

function sameText(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
