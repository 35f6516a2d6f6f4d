import { getMember } from "../values/members.ts";
import type { ObjectValue, Value } from "../values/value.ts";
import { define, type FunctionCall, type FunctionDefinition } from "./function-call.ts";

export const uriFunctions: readonly FunctionDefinition[] = [
  define("uri", 2, uri, 10),
  define("parseUri", 1, parseUri, 12),
  define("buildUri", 1, buildUri, 6),
];

const defaultPorts: ReadonlyMap<string, bigint> = new Map([
  ["http", 80n],
  ["https", 443n],
  ["ftp", 21n],
  ["ws", 80n],
  ["wss", 443n],
]);

function uri(call: FunctionCall): string {
  const base = parseAbsolute(call, call.string(0));
  const relative = call.string(1);
  call.budget.spendText(relative.length);
  if (!URL.canParse(relative, base)) {
    throw call.invalid("the relative URI is not valid");
  }
  const { href } = new URL(relative, base);
  call.budget.spendText(href.length);
  return href;
}

/** The query is there only when the URI has one, with its question mark. */
function parseUri(call: FunctionCall): ObjectValue {
  const url = parseAbsolute(call, call.string(0));
  const scheme = url.protocol.slice(0, -1);
  const members: [string, Value][] = [
    ["scheme", scheme],
    ["host", url.hostname],
  ];
  const port = url.port === "" ? defaultPorts.get(scheme) : BigInt(url.port);
  if (port !== undefined) {
    members.push(["port", port]);
  }
  members.push(["path", url.pathname]);
  if (url.search !== "") {
    members.push(["query", url.search]);
  }
  return new Map(members);
}

function buildUri(call: FunctionCall): string {
  const parts = call.object(0);
  const scheme = stringPart(call, parts, "scheme");
  const host = stringPart(call, parts, "host");
  if (scheme === undefined || host === undefined) {
    throw call.invalid("the parts of a URI need a scheme and a host");
  }
  const port = getMember(parts, "port") ?? null;
  if (port !== null && (typeof port !== "bigint" || port < 0n || port > 65_535n)) {
    throw call.invalid("the port must be an int from 0 to 65535");
  }
  const path = stringPart(call, parts, "path") ?? "";
  const query = stringPart(call, parts, "query") ?? "";
  const text = [
    `${scheme}://${host}`,
    port === null ? "" : `:${port}`,
    path === "" || path.startsWith("/") ? path : `/${path}`,
    query === "" || query.startsWith("?") ? query : `?${query}`,
  ].join("");
  return parseAbsolute(call, text).href;
}

function stringPart(call: FunctionCall, parts: ObjectValue, name: string): string | undefined {
  const value = getMember(parts, name) ?? null;
  if (value !== null && typeof value !== "string") {
    throw call.invalid(`the ${name} must be a string`);
  }
  return value ?? undefined;
}

function parseAbsolute(call: FunctionCall, text: string): URL {
  call.budget.spendText(text.length);
  if (!URL.canParse(text)) {
    throw call.invalid("the text is not an absolute URI");
  }
  return new URL(text);
}
