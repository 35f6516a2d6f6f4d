import type { PlaneTable } from "../planes/plane-table.ts";
import { matchRoute, type RouteMatch } from "./route.ts";

const mostRoutes = 2_000;
const longestPath = 512;

/** Remembers what paths mean, since clients ask for the same ones again and again. */
export class RouteCache {
  readonly #planes: PlaneTable;
  readonly #known = new Map<string, RouteMatch>();

  constructor(planes: PlaneTable) {
    this.#planes = planes;
  }

  /** @throws ApiError as `matchRoute` does. */
  match(method: string, path: string): RouteMatch {
    const key = `${method} ${path}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      return known;
    }
    const match = matchRoute(method, path, this.#planes);
    if (path.length <= longestPath) {
      if (this.#known.size === mostRoutes) {
        this.#known.clear(); // what is asked for again is soon back
      }
      this.#known.set(key, match);
    }
    return match;
  }
}
