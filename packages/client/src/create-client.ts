import type { JsonObject, JsonValue } from "@rad/core";
import { isJsonObject } from "@rad/core/json";
import type {
  ApiRequest,
  CallOptions,
  Client,
  ClientOptions,
  DeleteOptions,
  DeleteOutcome,
  DeploymentCalls,
  InstallerCalls,
  RecipeCalls,
  ResourceCallOptions,
  ResourceCalls,
  WaitOptions,
  WriteOptions,
} from "./client.ts";
import { ClientError } from "./client-error.ts";
import { deploymentsApiVersion, deploymentType } from "./deployment-type.ts";
import { apiUrl, parseEndpoint, requestedUrl, serverUrl, trustedLink, withQuery } from "./links.ts";
import type { AnnouncedOperation } from "./long-running.ts";
import type { Method, TransportOptions, WireResponse } from "./transport.ts";
import { createExchange, createOpenStream, createTransport, streamText } from "./transport.ts";
import { waitUntil } from "./wait-until.ts";
import type { OperationStatus, ProviderSummary, ResourceBody } from "./wire-types.ts";

export const systemApiVersion = "2023-10-01-preview";
export const radiusPlane = "/planes/radius/local";

const defaultRequestTimeoutMs = 60_000;
/** A list that is longer than this many pages is a server that keeps sending the same link. */
const maxPages = 100_000;

/** A client of one control plane. It talks to the origin of `endpoint` and to nobody else. */
export function createClient(options: ClientOptions): Client {
  const endpoint = parseEndpoint(options.endpoint);
  const wait = options.sleep ?? (async (ms, signal) => (await import("@rad/core/clock")).systemClock.sleep(ms, signal));
  const transport: TransportOptions = {
    endpoint,
    token: options.token,
    ca: options.ca,
    onAnswer: options.onAnswer,
    signal: options.signal,
    headers: {
      "user-agent": options.userAgent ?? "rad-client",
      ...(options.traceparent === undefined ? {} : { traceparent: options.traceparent }),
    },
    requestTimeoutMs: options.requestTimeoutMs ?? defaultRequestTimeoutMs,
    sleep: wait,
    random: options.random ?? Math.random,
  };
  const transmit = createTransport(transport);
  const waiting = {
    send: transmit,
    open: createOpenStream(transport),
    sleep: wait,
    now: options.now ?? (() => performance.now()),
    requestTimeoutMs: transport.requestTimeoutMs,
  };
  const resources = createResourceCalls();
  const system = { apiVersion: systemApiVersion };
  const groupsScope = `${radiusPlane}/resourceGroups`;
  const registry = `${radiusPlane}/providers/System.Resources/resourceproviders`;

  return {
    endpoint: options.endpoint,
    send,
    exchange: ({ url, query, ...request }) =>
      createExchange(transport)({ ...request, url: withQuery(requestedUrl(endpoint, url), query) }),
    waitForEnd: (answer, call = {}) => untilEnded(answer, call),
    probe: async (path, call = {}) =>
      (await transmit({ method: "GET", url: serverUrl(endpoint, path), signal: call.signal })).body,
    stream: (path, query = {}) => streamText(transport, serverUrl(endpoint, path, query)),
    planes: {
      list: (type) => resources.list(type === undefined ? "/planes" : `/planes/${type}`, system),
      get: (type, name) => resources.get(`/planes/${type}/${name}`, system),
      put: (type, name, body) => resources.put(`/planes/${type}/${name}`, body, system),
      delete: (type, name) => resources.delete(`/planes/${type}/${name}`, system),
    },
    groups: {
      list: () => resources.list(groupsScope, system),
      get: (name) => resources.get(`${groupsScope}/${name}`, system),
      put: (name, body = { location: "global" }) => resources.put(`${groupsScope}/${name}`, body, system),
      delete: (name) => resources.delete(`${groupsScope}/${name}`, system),
      resources: (name) => resources.list(`${groupsScope}/${name}/resources`, system),
    },
    providers: {
      summaries: async () => (await listItems(`${radiusPlane}/providers`, system)).map(toSummary),
      summariesUnless: async (known, call = {}) => {
        const list = await listUnless(`${radiusPlane}/providers`, { ...call, ...system }, known);
        return list && { summaries: list.items.map(toSummary), etag: list.etag };
      },
      summary: async (namespace) =>
        toSummary(
          (await send({ method: "GET", path: `${radiusPlane}/providers/${namespace}`, query: versionQuery(system) }))
            .body,
        ),
      get: (namespace) => resources.get(`${registry}/${namespace}`, system),
      put: (namespace, body) => resources.put(`${registry}/${namespace}`, body, system),
      delete: (namespace) => resources.delete(`${registry}/${namespace}`, system),
      putType: (namespace, type, properties) =>
        resources.put(`${registry}/${namespace}/resourcetypes/${type}`, { properties }, system),
      deleteType: (namespace, type) => resources.delete(`${registry}/${namespace}/resourcetypes/${type}`, system),
      putApiVersion: (namespace, type, version, properties) =>
        resources.put(`${registry}/${namespace}/resourcetypes/${type}/apiversions/${version}`, { properties }, system),
      putLocation: (namespace, location, properties, replaces) =>
        resources.put(
          `${registry}/${namespace}/locations/${location}`,
          { properties },
          { ...system, ...(replaces === "nothing" ? { ifNoneMatch: "*" } : { ifMatch: replaces?.etag }) },
        ),
      findLocation: async (namespace, location) => {
        try {
          return await resources.getWithEtag(`${registry}/${namespace}/locations/${location}`, system);
        } catch (error) {
          if (error instanceof ClientError && error.isNotFound) {
            return undefined;
          }
          throw error;
        }
      },
    },
    resources,
    deployments: createDeploymentCalls(),
    operations: {
      get: async (link) => toOperationStatus(await transmit({ method: "GET", url: operationUrl(link) })),
      follow: async (link, { signal = options.signal, onOutage } = {}) => {
        const { followOperation } = await import("./events/follow-operation.ts");
        const following = await followOperation({ ...waiting, signal, onOutage }, operationUrl(link));
        return following.kind === "events" ? following.events : undefined;
      },
      ofResource: async (resourceId, operationId, { signal } = {}) => {
        const { operationPath } = await import("./operation-status.ts");
        const path = operationPath(resourceId, operationId);
        return toOperationStatus(await send({ method: "GET", path, query: versionQuery(system), signal }));
      },
    },
    installer: createInstallerCalls(),
    recipes: createRecipeCalls(),
    sleep: wait,
  };

  function operationUrl(link: string): URL {
    const isPath = link.startsWith("/planes/");
    return isPath ? apiUrl(endpoint, link, versionQuery(system)) : trustedLink(endpoint, link);
  }

  function createResourceCalls(): ResourceCalls {
    return {
      get: async (id, call = {}) => (await getWithEtag(id, call)).resource,
      getWithEtag,
      list: async (collection, call = {}) => (await listItems(collection, call)).map(toResource),
      put,
      delete: remove,
      action: async (id, action, body = {}, call = {}) => {
        const query = versionQuery(call);
        return (await send({ method: "POST", path: `${id}/${action}`, query, body, signal: call.signal })).body;
      },
    };
  }

  function createDeploymentCalls(): DeploymentCalls {
    const query = { "api-version": deploymentsApiVersion };
    const parsers = () => import("./deployments.ts");
    const post = (path: string, body: JsonValue | undefined, call: CallOptions) =>
      send({ method: "POST", path, query, body, signal: call.signal });
    return {
      start: async (id, body, call = {}) => {
        const response = await send({ method: "PUT", path: id, query, body, signal: call.signal });
        const link = response.headers.get("azure-asyncoperation") ?? undefined;
        return { ...(await parsers()).toDeployment(response.body), operationLink: link };
      },
      get: async (id, call = {}) => {
        const { body } = await send({ method: "GET", path: id, query, signal: call.signal });
        return (await parsers()).toDeployment(body);
      },
      waitForEnd: (id, { signal = options.signal } = {}) =>
        waitUntil({ ...waiting, signal }, apiUrl(endpoint, id, query), async (body) =>
          (await parsers()).hasEnded(body),
        ),
      list: async (scope, call = {}) => {
        const collection = `${scope}/providers/${deploymentType}`;
        const items = await listItems(collection, { ...call, apiVersion: deploymentsApiVersion });
        return items.map((await parsers()).toDeployment);
      },
      operations: async (id, call = {}) => {
        const items = await listItems(`${id}/operations`, { ...call, apiVersion: deploymentsApiVersion });
        return items.map((await parsers()).toDeploymentOperation);
      },
      cancel: async (id, call = {}) => {
        await post(`${id}/cancel`, undefined, call);
      },
      delete: (id, call = {}) => remove(id, { ...call, apiVersion: deploymentsApiVersion }),
      whatIf: async (id, body, call = {}) => {
        const { onRecipe } = call;
        if (onRecipe === undefined) {
          const answer = await finalBody(await post(`${id}/whatIf`, body, call), call);
          return (await parsers()).toWhatIf(answer);
        }
        const [{ streamResult }, { planningRecipes, toWhatIf, toWhatIfProgress }] = await Promise.all([
          import("./events/stream-result.ts"),
          parsers(),
        ]);
        const answer = await streamResult({
          open: waiting.open,
          url: apiUrl(endpoint, `${id}/whatIf`, query),
          body: planningRecipes(body),
          signal: call.signal,
          onProgress: (progress) => onRecipe(toWhatIfProgress(progress)),
        });
        return toWhatIf(answer);
      },
      exportTemplate: async (id, call = {}) => {
        const { body } = await post(`${id}/exportTemplate`, undefined, call);
        return isJsonObject(body) ? body["template"] : undefined;
      },
    };
  }

  function createInstallerCalls(): InstallerCalls {
    const parsers = () => import("./installer.ts");
    const request = (method: Method, name: string, call: CallOptions, body?: object) =>
      send({ method, path: `/installer/terraform/${name}`, body: body as JsonObject | undefined, signal: call.signal });
    return {
      install: async (body, call = {}) =>
        (await parsers()).toInstallerAnswer(await request("POST", "install", call, body)),
      uninstall: async (call = {}) => (await parsers()).toInstallerAnswer(await request("POST", "uninstall", call, {})),
      status: async (call = {}) => (await parsers()).toInstallerStatus(await request("GET", "status", call)),
      validate: async (environmentId, call = {}) =>
        (await parsers()).toPreflight(await request("POST", "validate", call, { environmentId })),
    };
  }

  function createRecipeCalls(): RecipeCalls {
    const recipes = () => import("./recipe-runs.ts");
    return {
      lastLog: async (resourceId, call = {}) => {
        const { recipePaths, toRecipeLog } = await recipes();
        const { body } = await send({ method: "GET", path: recipePaths.log(resourceId), signal: call.signal });
        return toRecipeLog(body);
      },
      mirrorList: async (environmentId, { platforms = [], onRecipe = () => {}, signal } = {}) => {
        const [{ streamResult }, { mirrorListPath, toMirrorList }, { toWhatIfProgress }] = await Promise.all([
          import("./events/stream-result.ts"),
          import("./mirror-list.ts"),
          import("./deployments.ts"),
        ]);
        const url = apiUrl(endpoint, mirrorListPath(environmentId), {});
        platforms.forEach((platform) => url.searchParams.append("platform", platform));
        const answer = await streamResult({
          open: waiting.open,
          url,
          body: {},
          signal,
          onProgress: (progress) => onRecipe(toWhatIfProgress(progress)),
        });
        return toMirrorList(answer);
      },
      orphans: async (call = {}) => {
        const { recipePaths, toRecipeOrphans } = await recipes();
        return toRecipeOrphans((await send({ method: "GET", path: recipePaths.orphans, signal: call.signal })).body);
      },
    };
  }

  /** What a POST comes to: its answer, or what lies at the link that it gives once the work is done. */
  async function finalBody(response: WireResponse, call: CallOptions): Promise<JsonValue | undefined> {
    const link = response.headers.get("location");
    if (response.status !== 202 || link === null) {
      return response.body;
    }
    await untilEnded(response, call);
    const { signal } = call;
    return (await transmit({ method: "GET", url: trustedLink(endpoint, link), signal })).body;
  }

  async function untilEnded(response: AnnouncedOperation, { signal, onProgress }: WaitOptions): Promise<void> {
    const { waitForEnd } = await import("./long-running.ts");
    await waitForEnd({ ...waiting, endpoint, onProgress, signal: signal ?? options.signal }, response);
  }

  function send(request: ApiRequest): Promise<WireResponse> {
    return transmit({
      method: request.method,
      url: apiUrl(endpoint, request.path, request.query),
      body: request.body,
      headers: request.headers,
      signal: request.signal,
    });
  }

  async function getWithEtag(id: string, call: ResourceCallOptions = {}) {
    const response = await send({ method: "GET", path: id, query: versionQuery(call), signal: call.signal });
    const { headers, warnings } = response;
    return { resource: toResource(response.body), etag: headers.get("etag") ?? undefined, warnings };
  }

  async function listItems(collection: string, call: ResourceCallOptions): Promise<JsonValue[]> {
    return (await listUnless(collection, call, undefined))?.items ?? [];
  }

  /** All pages with the etag that came with the first, which is that of the whole list; nothing when it has `known`. */
  async function listUnless(
    collection: string,
    call: ResourceCallOptions,
    known: string | undefined,
  ): Promise<{ items: JsonValue[]; etag: string | undefined } | undefined> {
    let etag: string | undefined;
    const items: JsonValue[] = [];
    const seen = new Set<string>();
    let url: URL | undefined = apiUrl(endpoint, collection, versionQuery(call));
    while (url !== undefined) {
      if (seen.has(url.href) || seen.size >= maxPages) {
        throw new ClientError("UnexpectedResponse", `The control plane's pages of ${collection} go round in a circle.`);
      }
      seen.add(url.href);
      const headers = known === undefined || seen.size > 1 ? undefined : { "if-none-match": known };
      const answer = await transmit({ method: "GET", url, headers, signal: call.signal });
      if (answer.status === 304) {
        return undefined;
      }
      const { body } = answer;
      if (seen.size === 1) {
        etag = answer.headers.get("etag") ?? undefined;
      }
      const page = isJsonObject(body) ? body["value"] : undefined;
      // Older control planes write an empty list as null.
      if (!isJsonObject(body) || (!Array.isArray(page) && page !== null)) {
        throw new ClientError("UnexpectedResponse", `The control plane's answer for ${collection} is not a list.`);
      }
      items.push(...(page ?? []));
      const next: JsonValue | undefined = body["nextLink"];
      url = typeof next === "string" && next !== "" ? trustedLink(endpoint, next) : undefined;
    }
    return { items, etag };
  }

  async function put(id: string, body: JsonObject, call: WriteOptions = {}): Promise<ResourceBody> {
    const query = versionQuery(call);
    const headers = conditions(call);
    const response = await send({ method: "PUT", path: id, query, body, headers, signal: call.signal });
    if (response.warnings.length > 0) {
      call.onWarnings?.(response.warnings);
    }
    if (response.status === 200) {
      return toResource(response.body);
    }
    await untilEnded(response, call);
    return (await getWithEtag(id, call)).resource;
  }

  async function remove(id: string, call: DeleteOptions = {}): Promise<DeleteOutcome> {
    const query = { ...versionQuery(call), ...(call.force === true ? { force: "true" } : {}) };
    const headers = conditions(call);
    let response: Awaited<ReturnType<typeof send>>;
    try {
      response = await send({ method: "DELETE", path: id, query, headers, signal: call.signal });
    } catch (error) {
      // Its group is not there either; a 404 of something that is no control plane has another code.
      if (error instanceof ClientError && error.code === "NotFound") {
        return "notFound";
      }
      throw error;
    }
    if (response.status === 204) {
      // After a lost answer, "was not there" most likely means that the lost try deleted it.
      return response.attempts > 1 ? "deleted" : "notFound";
    }
    await untilEnded(response, call);
    return "deleted";
  }
}

function versionQuery(call: ResourceCallOptions): Record<string, string> {
  return call.apiVersion === undefined ? {} : { "api-version": call.apiVersion };
}

function conditions(call: WriteOptions): Record<string, string> {
  return {
    ...(call.ifMatch === undefined ? {} : { "if-match": call.ifMatch }),
    ...(call.ifNoneMatch === undefined ? {} : { "if-none-match": call.ifNoneMatch }),
  };
}

async function toOperationStatus({ body }: WireResponse): Promise<OperationStatus> {
  return (await import("./operation-status.ts")).parseOperationStatus(body);
}

function toResource(value: JsonValue | undefined): ResourceBody {
  if (!isJsonObject(value) || typeof value["id"] !== "string" || typeof value["name"] !== "string") {
    throw new ClientError("UnexpectedResponse", "The control plane's answer is not a resource.");
  }
  return value as ResourceBody;
}

function toSummary(value: JsonValue | undefined): ProviderSummary {
  if (!isJsonObject(value) || typeof value["name"] !== "string" || !isJsonObject(value["resourceTypes"])) {
    throw new ClientError("UnexpectedResponse", "The control plane's answer is not a provider summary.");
  }
  for (const type of Object.values(value["resourceTypes"])) {
    if (!isJsonObject(type) || !isJsonObject(type["apiVersions"])) {
      throw new ClientError("UnexpectedResponse", `The summary of ${value["name"]} has a type without versions.`);
    }
  }
  return value as ProviderSummary;
}
