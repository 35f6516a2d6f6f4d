import { ApiError, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { listMember, textMember } from "../../../rendering/members.ts";
import type { RenderContext } from "../../../rendering/renderer.ts";
import { durationMs } from "../duration.ts";
import { readDestination } from "./destination.ts";

/** Routes that lead to the same Service in the same way share a child of the root proxy. */
export interface ChildRoute {
  readonly name: string;
  readonly service: string;
  readonly port: number;
  readonly enableWebsockets: boolean;
  readonly responseTimeout: string | undefined;
  readonly rewrites: readonly { readonly prefix: string; readonly replacement: string }[];
}

export interface RouteTable {
  readonly children: readonly ChildRoute[];
  /** In the order of the routes. */
  readonly includes: readonly { readonly name: string; readonly prefix: string }[];
}

/** What a TLS connection that is passed through is taken to, where its URL names no port. */
const passthroughPort = 443;

type Draft = ChildRoute & { rewrites: { prefix: string; replacement: string }[] };

/** @param rootName of the proxy that includes the children, none of which may have the same name. */
export function routeTable(
  properties: JsonObject,
  rootName: string,
  { dependencies }: Pick<RenderContext, "dependencies">,
): RouteTable {
  const usualPort = objectMember(properties, "tls")["sslPassthrough"] === true ? passthroughPort : undefined;
  const drafts: Draft[] = [];
  const includes: { name: string; prefix: string }[] = [];
  for (const [index, route] of listMember(properties, "routes").entries()) {
    const destination = textMember(route, "destination");
    if (destination === undefined) {
      throw new ApiError("BadRequest", "The route has no destination.", { target: `$.properties.routes[${index}]` });
    }
    const prefix = textMember(route, "path") ?? "/";
    const replacement = textMember(route, "replacePrefix");
    const wanted = {
      ...readDestination(destination, dependencies, usualPort),
      enableWebsockets: route["enableWebsockets"] === true,
      responseTimeout: responseTimeout(objectMember(route, "timeoutPolicy")),
    };
    let child = drafts.find((draft) => isSame(draft, wanted));
    if (child === undefined) {
      child = {
        ...wanted,
        name: freeName(wanted.service, [rootName, ...drafts.map(({ name }) => name)]),
        rewrites: [],
      };
      drafts.push(child);
    }
    if (replacement !== undefined) {
      child.rewrites.push({ prefix, replacement });
    }
    includes.push({ name: child.name, prefix });
  }
  return { children: drafts, includes };
}

function isSame(
  draft: Draft,
  wanted: Pick<ChildRoute, "service" | "port" | "enableWebsockets" | "responseTimeout">,
): boolean {
  return (
    draft.service === wanted.service &&
    draft.port === wanted.port &&
    draft.enableWebsockets === wanted.enableWebsockets &&
    draft.responseTimeout === wanted.responseTimeout
  );
}

/** The Service's name; with a number when routes lead to it in several ways, each of which needs a child of its own. */
function freeName(service: string, taken: readonly string[]): string {
  let name = service;
  for (let number = 2; taken.includes(name); number += 1) {
    name = `${service}-${number}`;
  }
  return name;
}

/** Contour knows no unit below milliseconds. */
function responseTimeout(policy: JsonObject): string | undefined {
  const request = textMember(policy, "request");
  return request !== undefined && /[nuµ]s/.test(request) ? `${durationMs(request) ?? 0}ms` : request;
}
