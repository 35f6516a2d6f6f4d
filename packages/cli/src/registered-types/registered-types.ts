import type { Client, ProviderSummary } from "@rad/client";
import { isJsonObject } from "@rad/core";
import type { PackageType } from "@rad/resource-types/bicep";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { noticeLine } from "../notice.ts";
import type { Notice } from "../notice.ts";
import { openTypeCache, TypeCacheError } from "./type-cache.ts";
import type { CachedTypes } from "./type-cache.ts";

/** What is known about the types that a control plane has registered. */
export interface RegisteredTypes {
  /** `undefined` when nothing is known: no workspace, or a control plane that was never asked. */
  readonly known: KnownTypes | undefined;
  readonly notices: readonly Notice[];
}

interface KnownTypes {
  readonly types: readonly PackageType[];
  readonly endpoint: string;
  /** When the control plane last had them; `undefined` for right now. */
  readonly asOf: Date | undefined;
}

/** A control plane that answers at all answers this within the time; nobody wants to wait longer for types. */
const askTimeoutMs = 15_000;

/** Those of the workspace's control plane as the cache has them, without a network. */
export async function cachedRegisteredTypes(context: CommandContext): Promise<RegisteredTypes> {
  let endpoint: string | undefined;
  try {
    endpoint = await workspaceEndpoint(context);
  } catch (error) {
    // Compiling needs no workspace; a broken configuration is told all the same, for there may be types behind it.
    if (!(error instanceof CliError) || context.workspaceFlag !== undefined) {
      throw error;
    }
    return { known: undefined, notices: [unknownTypes(error)] };
  }
  return endpoint === undefined ? nothing : await fromCache(context, endpoint);
}

/** Asks the control plane, and remembers the answer. When it cannot say, the cache does, with a warning. */
export async function askRegisteredTypes(context: CommandContext, client: Client): Promise<RegisteredTypes> {
  const { endpoint } = client;
  const cached = await fromCache(context, endpoint);
  const kept = cached.known === undefined ? undefined : cached;
  const signal = AbortSignal.any([context.host.signal, AbortSignal.timeout(askTimeoutMs)]);
  let answer: Awaited<ReturnType<Client["providers"]["summariesUnless"]>>;
  try {
    answer = await client.providers.summariesUnless(kept?.etag, { signal });
  } catch (error) {
    context.host.signal.throwIfAborted();
    return standIn(endpoint, error, cached);
  }
  const cache = openTypeCache(context.configPath);
  if (answer === undefined) {
    await cache.confirm(endpoint);
    return { known: { types: kept?.known?.types ?? [], endpoint, asOf: undefined }, notices: [] };
  }
  const types = registeredTypesOf(answer.summaries);
  const known = { types, endpoint, asOf: undefined };
  try {
    await cache.write(endpoint, types, answer.etag);
    return { known, notices: [] };
  } catch (error) {
    if (!(error instanceof TypeCacheError)) {
      throw error;
    }
    return { known, notices: [warning(`The types that ${endpoint} has registered are not kept: ${error.message}.`)] };
  }
}

/** Brings the cache up to date after something has been registered or deleted. A failure is only a warning. */
export async function refreshTypeCache(context: CommandContext, client: Client): Promise<void> {
  for (const notice of (await askRegisteredTypes(context, client)).notices) {
    context.output.note(noticeLine(notice));
  }
}

/** Asks the control plane of the workspace, if there is one, and says what came of it. */
export async function restoreRegisteredTypes(context: CommandContext): Promise<void> {
  let client: Client | undefined;
  try {
    client = (await workspaceEndpoint(context)) === undefined ? undefined : await context.client();
  } catch (error) {
    if (!(error instanceof CliError) || context.workspaceFlag !== undefined) {
      throw error;
    }
    context.output.note(noticeLine(unknownTypes(error)));
  }
  if (client === undefined) {
    return;
  }
  const { known, notices } = await askRegisteredTypes(context, client);
  for (const notice of notices) {
    context.output.note(noticeLine(notice));
  }
  if (known !== undefined && known.asOf === undefined) {
    context.output.note(`Registered types of ${known.endpoint} restored: ${known.types.length}`);
  }
}

const nothing: RegisteredTypes = { known: undefined, notices: [] };

async function workspaceEndpoint(context: CommandContext): Promise<string | undefined> {
  const { current } = await context.config();
  const isChosen = context.workspaceFlag !== undefined || current !== "";
  return isChosen ? (await context.workspace()).connection.overrides?.ucp : undefined;
}

async function fromCache(
  context: CommandContext,
  endpoint: string,
): Promise<RegisteredTypes & { readonly etag?: string | undefined }> {
  let cached: CachedTypes | undefined;
  try {
    cached = await openTypeCache(context.configPath).read(endpoint);
  } catch (error) {
    if (!(error instanceof TypeCacheError)) {
      throw error;
    }
    const advice = "`rad bicep restore` and `rad deploy` write it again.";
    return {
      known: undefined,
      notices: [warning(`The cache of registered types is ignored: ${error.message}. ${advice}`)],
    };
  }
  if (cached === undefined) {
    return nothing;
  }
  const { types, etag, confirmedAt } = cached;
  return { known: { types, endpoint, asOf: confirmedAt }, notices: [], etag };
}

function standIn(endpoint: string, error: unknown, cached: RegisteredTypes): RegisteredTypes {
  const reason = error instanceof Error ? error.message : String(error);
  const asOf = cached.known?.asOf;
  const outcome =
    asOf === undefined
      ? "so types of your own are not checked"
      : `so the cache answers with those of ${timeText(asOf)}`;
  const message = `${endpoint} did not say which types it has registered, ${outcome}. ${reason}`;
  return { known: cached.known, notices: [...cached.notices, warning(message)] };
}

/** The types of provider summaries with their schemas; `{}` for a version without one. */
export function registeredTypesOf(summaries: readonly ProviderSummary[]): PackageType[] {
  return summaries.flatMap(({ name: namespace, resourceTypes }) =>
    Object.entries(resourceTypes).map(([type, { apiVersions }]) => ({
      name: `${namespace}/${type}`,
      versions: Object.fromEntries(
        Object.entries(apiVersions).map(([version, { schema }]) => [version, isJsonObject(schema) ? schema : {}]),
      ),
    })),
  );
}

function unknownTypes(error: CliError): Notice {
  return warning(`The registered types are not known. ${error.message}`);
}

function warning(message: string): Notice {
  return { level: "warning", code: "registered-types", message };
}

/** To the minute, in UTC: `2026-03-01 09:30 UTC`. */
export function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
