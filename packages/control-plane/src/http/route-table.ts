import type { Route } from "@rad/modules";
import { METHODS } from "./node-http.ts";

/** What a path and a method lead to. */
export type RouteLookup =
  /** `depth` counts the segments of a prefix; what follows them is the rest. */
  | { readonly kind: "found"; readonly route: Route; readonly depth: number | undefined }
  | { readonly kind: "otherMethod"; readonly path: string; readonly allow: readonly string[] };

interface Entry {
  readonly route: Route;
  readonly owner: string;
}

type ByMethod = Map<string, Entry>;

/** CONNECT never reaches a request handler. */
const methods: ReadonlySet<string> = new Set(METHODS.filter((method) => method !== "CONNECT"));

/** Every URL outside the id grammar. A look-up costs one step, and one per segment where no exact path matches. */
export class RouteTable {
  readonly #exact = new Map<string, ByMethod>();
  readonly #prefixes = new Map<string, ByMethod>();

  /**
   * @param owner whose route it is, for messages.
   * @throws Error when the route could never be called, or when it is somebody's already.
   */
  add(owner: string, route: Route): void {
    const { path } = route;
    const isPrefix = path.endsWith("/*");
    const table = isPrefix ? this.#prefixes : this.#exact;
    const key = isPrefix ? path.slice(0, -2) : path;
    const entries = table.get(key) ?? new Map<string, Entry>();
    for (const method of methodsOf(route)) {
      if (!methods.has(method)) {
        throw new Error(`The route '${path}' has the method '${method}', which HTTP servers here do not know.`);
      }
      const other = entries.get(method) ?? headOfOther(entries, method, owner);
      if (other !== undefined) {
        throw new Error(`The route ${method} '${path}' is one of ${other.owner} already.`);
      }
      entries.set(method, { route, owner });
    }
    table.set(key, entries);
  }

  /** @param path in lower case, without a slash at its end. */
  find(method: string, path: string): RouteLookup | undefined {
    let other: { path: string; allow: string[] } | undefined;
    const exact = this.#exact.get(path);
    if (exact !== undefined) {
      const route = routeFor(exact, method);
      if (route !== undefined) {
        return { kind: "found", route, depth: undefined };
      }
      other = { path, allow: [...exact.keys()] };
    }
    for (let end = this.#prefixes.size === 0 ? -1 : path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
      const entries = this.#prefixes.get(path.slice(0, end));
      if (entries === undefined) {
        continue;
      }
      const route = routeFor(entries, method);
      if (route !== undefined) {
        return { kind: "found", route, depth: path.slice(0, end).split("/").length - 1 };
      }
      other ??= { path: `${path.slice(0, end)}/*`, allow: [] };
      other.allow.push(...entries.keys());
    }
    return other && { kind: "otherMethod", path: other.path, allow: allowed(other.allow) };
  }
}

function routeFor(entries: ByMethod, method: string): Route | undefined {
  return (entries.get(method) ?? (method === "HEAD" ? entries.get("GET") : undefined))?.route;
}

/** HEAD belongs to the owner of GET. */
function headOfOther(entries: ByMethod, method: string, owner: string): Entry | undefined {
  const partner = method === "GET" ? "HEAD" : method === "HEAD" ? "GET" : "";
  const entry = entries.get(partner);
  return entry?.owner === owner ? undefined : entry;
}

function methodsOf({ method }: Route): readonly string[] {
  return typeof method === "string" ? [method] : method;
}

function allowed(methods: readonly string[]): string[] {
  return [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : [])])].toSorted();
}
