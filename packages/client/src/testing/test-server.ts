import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject, JsonValue } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core";
import { basePath } from "../links.ts";
import type { ResourceBody } from "../wire-types.ts";

export interface RecordedRequest {
  readonly method: string;
  /** Without the base path, with the query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: JsonValue | undefined;
}

export interface TestServerOptions {
  /** Requests without this bearer token get 401. */
  readonly token?: string;
  /** How many polls an operation needs until it has ended. */
  readonly polls?: number;
  /** Says about each poll that it was kept waiting, as a control plane does that knows `Prefer: wait`. */
  readonly appliesWait?: boolean;
  readonly pageSize?: number;
  /** Replaces the host in polling and next links, as a proxy does. */
  readonly linkOrigin?: string;
  /** Answers instead of the server when it returns `true`. */
  readonly intercept?: (request: RecordedRequest, response: ServerResponse) => boolean;
}

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Stored documents by lower-case id. */
  readonly documents: ReadonlyMap<string, ResourceBody>;
}

interface Operation {
  pollsLeft: number;
  readonly finish: () => void;
}

/**
 * The control plane's protocol in miniature, over real HTTP: documents in memory, asynchronous writes, paging, the
 * registry of types. It checks nothing about bodies; it is there to test what a client does with the answers.
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const requests: RecordedRequest[] = [];
  const documents = new Map<string, ResourceBody>();
  const operations = new Map<string, Operation>();
  const polls = options.polls ?? 1;

  const server = createServer((request, response) => {
    void handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    documents,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
    }
    const text = Buffer.concat(chunks).toString();
    const full = new URL(request.url ?? "/", url);
    const path = decodeURIComponent(full.pathname).replace(basePath, "");
    const recorded: RecordedRequest = {
      method: request.method ?? "",
      path: `${path}${full.search}`,
      headers: request.headers,
      body: text === "" ? undefined : (JSON.parse(text) as JsonValue),
    };
    requests.push(recorded);
    if (options.intercept?.(recorded, response) === true) {
      return;
    }
    if (options.token !== undefined && request.headers.authorization !== `Bearer ${options.token}`) {
      fail(response, 401, "InvalidAuthenticationInfo", "The request carries no valid token.");
      return;
    }
    answer(recorded, path, full.searchParams, response);
  }

  function answer(request: RecordedRequest, path: string, query: URLSearchParams, response: ServerResponse): void {
    const operation = /\/operation(Statuses|Results)\/([^/]+)$/i.exec(path);
    if (operation !== null) {
      poll(operation[1] ?? "", operation[2] ?? "", path, response);
    } else if (request.method === "PUT") {
      put(request, path, response);
    } else if (request.method === "DELETE") {
      remove(path, response);
    } else if (request.method === "POST") {
      reply(response, 200, { action: path.split("/").at(-1) ?? "" });
    } else {
      read(path, query, response);
    }
  }

  function put(request: RecordedRequest, path: string, response: ServerResponse): void {
    const body = isJsonObject(request.body) ? request.body : {};
    const known = documents.get(path.toLowerCase());
    const segments = path.split("/");
    const document: ResourceBody = {
      location: "global",
      tags: {},
      ...body,
      id: known?.id ?? path,
      name: segments.at(-1) ?? "",
      type: typeOf(path),
      properties: { ...objectMember(body, "properties"), provisioningState: "Accepted" },
    };
    documents.set(path.toLowerCase(), document);
    const finish = () => {
      documents.set(path.toLowerCase(), {
        ...document,
        properties: { ...objectMember(document, "properties"), provisioningState: "Succeeded" },
      });
    };
    if (isSynchronous(path)) {
      finish();
      reply(response, 200, documents.get(path.toLowerCase()) ?? {});
      return;
    }
    accept(response, 201, path, document, finish);
  }

  function remove(path: string, response: ServerResponse): void {
    const document = documents.get(path.toLowerCase());
    if (document === undefined) {
      response.writeHead(204).end();
    } else if (isSynchronous(path)) {
      documents.delete(path.toLowerCase());
      response.writeHead(200).end();
    } else {
      accept(response, 202, path, document, () => documents.delete(path.toLowerCase()));
    }
  }

  function accept(response: ServerResponse, status: number, path: string, body: JsonObject, finish: () => void): void {
    const id = randomUUID();
    operations.set(id, { pollsLeft: polls, finish });
    const namespace = /\/providers\/([^/]+)/i.exec(path)?.[1] ?? "System.Resources";
    const link = `${options.linkOrigin ?? url}${basePath}/planes/radius/local/providers/${namespace}/locations/global`;
    response.setHeader("azure-asyncoperation", `${link}/operationStatuses/${id}`);
    response.setHeader("location", `${link}/operationResults/${id}`);
    response.setHeader("retry-after", "1");
    reply(response, status, body);
  }

  function poll(kind: string, id: string, path: string, response: ServerResponse): void {
    const operation = operations.get(id);
    if (operation === undefined) {
      fail(response, 404, "NotFound", `There is no operation ${id}.`);
      return;
    }
    operation.pollsLeft -= 1;
    if (options.appliesWait === true) {
      response.setHeader("preference-applied", "wait");
    }
    const ended = operation.pollsLeft <= 0;
    if (ended) {
      operation.finish();
    }
    if (kind.toLowerCase() === "results") {
      response.writeHead(ended ? 204 : 202).end();
      return;
    }
    reply(response, 200, { id: path, name: id, status: ended ? "Succeeded" : "Updating" });
  }

  function read(path: string, query: URLSearchParams, response: ServerResponse): void {
    const document = documents.get(path.toLowerCase());
    const group = /^(.*\/resourcegroups\/[^/]+)\/resources$/i.exec(path)?.[1];
    const summaries = /^\/planes\/radius\/[^/]+\/providers(?:\/([^/]+))?$/i.exec(path);
    if (document !== undefined) {
      response.setHeader("etag", "32-test");
      reply(response, 200, document);
    } else if (summaries !== null) {
      readSummaries(summaries[1], response);
    } else if (group !== undefined) {
      const prefix = `${group.toLowerCase()}/providers/`;
      const inGroup = [...documents].filter(([key]) => key.startsWith(prefix)).map(([, item]) => item);
      const items = inGroup.map(({ id, name, type }): JsonObject => ({ id, name, type }));
      replyPage(items, path, query, response);
    } else if (isCollection(path)) {
      replyPage(membersOf(path), path, query, response);
    } else {
      fail(response, 404, "NotFound", `The resource '${path}' was not found.`);
    }
  }

  function membersOf(path: string): ResourceBody[] {
    const collection = path.toLowerCase();
    const planeWide = /^(\/planes\/[^/]+\/[^/]+)(\/providers\/.*)$/.exec(collection);
    return [...documents]
      .filter(([key]) => {
        const parent = key.slice(0, key.lastIndexOf("/"));
        const inAnyGroup =
          planeWide !== null && key.startsWith(`${planeWide[1]}/`) && parent.endsWith(planeWide[2] ?? "");
        return parent === collection || inAnyGroup;
      })
      .map(([, item]) => item);
  }

  function replyPage(items: JsonObject[], path: string, query: URLSearchParams, response: ServerResponse): void {
    const start = Number(query.get("skipToken") ?? "0");
    const end = start + (options.pageSize ?? Number.POSITIVE_INFINITY);
    const rest = new URLSearchParams([...query].filter(([name]) => name !== "skipToken"));
    rest.set("skipToken", String(end));
    const nextLink = `${options.linkOrigin ?? url}${basePath}${path}?${rest.toString()}`;
    reply(response, 200, { value: items.slice(start, end), ...(end < items.length ? { nextLink } : {}) });
  }

  function readSummaries(namespace: string | undefined, response: ServerResponse): void {
    const all = [...documents.values()].filter((item) => item.type === "System.Resources/resourceProviders");
    const summaries = all.map((provider) => summarize(provider.name));
    if (namespace === undefined) {
      reply(response, 200, { value: summaries });
      return;
    }
    const one = summaries.find((item) => item.name.toLowerCase() === namespace.toLowerCase());
    if (one === undefined) {
      fail(response, 404, "NotFound", `The resource provider '${namespace}' was not found.`);
      return;
    }
    reply(response, 200, one);
  }

  function summarize(namespace: string): JsonObject & { name: string } {
    const base = `/planes/radius/local/providers/system.resources/resourceproviders/${namespace.toLowerCase()}`;
    const named = (collection: string): [string, JsonObject][] =>
      membersOf(collection).map((item) => [item.name, withoutState(objectMember(item, "properties"))]);
    return {
      name: namespace,
      locations: Object.fromEntries(named(`${base}/locations`).map(([name]) => [name, {}])),
      resourceTypes: Object.fromEntries(
        named(`${base}/resourcetypes`).map(([name, properties]) => [
          name,
          {
            ...properties,
            apiVersions: Object.fromEntries(named(`${base}/resourcetypes/${name.toLowerCase()}/apiversions`)),
          },
        ]),
      ),
    };
  }
}

function withoutState(properties: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name !== "provisioningState"));
}

const registryTypes: Readonly<Record<string, string>> = {
  resourceproviders: "System.Resources/resourceProviders",
  locations: "System.Resources/resourceProviders/locations",
  resourcetypes: "System.Resources/resourceProviders/resourceTypes",
  apiversions: "System.Resources/resourceProviders/resourceTypes/apiVersions",
};

function typeOf(path: string): string {
  const [scope = "", provider] = path.split(/\/providers\//i);
  if (provider === undefined) {
    return scope.toLowerCase().includes("/resourcegroups/")
      ? "System.Resources/resourceGroups"
      : "System.Radius/planes";
  }
  const [namespace = "", ...rest] = provider.split("/");
  const types = rest.filter((_, index) => index % 2 === 0);
  return registryTypes[(types.at(-1) ?? "").toLowerCase()] ?? [namespace, ...types].join("/");
}

function isSynchronous(path: string): boolean {
  return !/\/providers\//i.test(path);
}

function isCollection(path: string): boolean {
  const [scope = "", provider] = path.split(/\/providers\//i);
  const segments = (provider ?? scope).split("/").filter((segment) => segment !== "");
  return provider === undefined ? segments.length % 2 === 0 || segments.length === 1 : segments.length % 2 === 0;
}

function reply(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function fail(response: ServerResponse, status: number, code: string, message: string): void {
  reply(response, status, { error: { code, message } });
}
