import { ApiError, type JsonObject, type Redactor, ResourceId } from "@rad/core";
import { jsonAnswer, largeJsonAnswer, type Route } from "@rad/modules";
import type { Store } from "@rad/store";
import { prefersType } from "../api/prefers-type.ts";
import { streamedResult } from "../api/streamed-result.ts";
import { environmentOf, isEnvironmentId } from "./environment-of.ts";
import type { LoadedRecipes, MirrorListOrder } from "./recipes-module.ts";

const recipesRead = "System.Radius/recipes/read";

export interface RecipeRoutesDeps {
  readonly store: Store;
  readonly redactor: Pick<Redactor, "redactError">;
  readonly loaded: () => Promise<LoadedRecipes>;
}

/** What is known of recipes beyond the resources that they make. */
export function recipeRoutes({ store, redactor, loaded }: RecipeRoutesDeps): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/recipes/orphans",
      permission: recipesRead,
      handle: async () => {
        const { listOrphans, RecipeRecords } = await import("@rad/recipes");
        const { runs, states } = await loaded();
        const value = await listOrphans({
          store,
          records: new RecipeRecords(store),
          unsettled: () => runs.unsettled(),
          states: () => states.list(),
        });
        return await largeJsonAnswer(200, { value });
      },
    },
    {
      method: "GET",
      path: "/recipes/logs/*",
      permission: ({ rest }) => {
        const id = resourceIdOf(rest);
        return { permission: `${id.type}/read`, scope: id.toString() };
      },
      handle: async ({ rest }) => {
        const { RecipeRecords } = await import("@rad/recipes");
        const id = resourceIdOf(rest).toString();
        const log = await new RecipeRecords(store).readLog(id);
        if (log === undefined) {
          throw new ApiError("NotFound", `No recipe has run for '${id}'.`, { target: id });
        }
        return jsonAnswer(200, { resourceId: id, ...log });
      },
    },
    {
      method: "POST",
      path: "/recipes/mirror-list/*",
      permission: ({ rest }) => {
        const id = resourceIdOf(rest);
        return { permission: `${id.type}/mirrorList/action`, scope: id.toString() };
      },
      handle: async (request) => {
        const platforms = platformsOf(request.query);
        const environment = await environmentOf(store, environmentIdOf(request.rest));
        const recipes = await loaded();
        const work = async (onRecipe: MirrorListOrder["onRecipe"]): Promise<JsonObject> =>
          await recipes.mirrorList({ request, environment, platforms, onRecipe });
        return prefersType(request.headers["accept"], "text/event-stream")
          ? await streamedResult(work, redactor)
          : await largeJsonAnswer(200, await work(() => {}));
      },
    },
  ];
}

/** @throws ApiError `BadRequest` */
function environmentIdOf(rest: readonly string[]): ResourceId {
  const id = resourceIdOf(rest);
  if (!isEnvironmentId(id)) {
    throw new ApiError("BadRequest", `'${id.toString()}' is not an environment.`, { target: id.toString() });
  }
  return id;
}

/** Those of the request, or else that of this machine. @throws ApiError `BadRequest` */
function platformsOf(query: string): readonly string[] {
  const given = [...new Set(new URLSearchParams(query).getAll("platform"))];
  const wrong = given.find((platform) => !/^[a-z0-9]+_[a-z0-9]+$/u.test(platform));
  if (wrong !== undefined) {
    throw new ApiError("BadRequest", `'${wrong}' is not a platform. Platforms are written like linux_amd64.`);
  }
  return given;
}

/** @throws ApiError for a path that is no resource id */
function resourceIdOf(rest: readonly string[]): ResourceId {
  const id = ResourceId.tryParse(`/${rest.join("/")}`);
  if (id?.kind !== "resource") {
    throw new ApiError("BadRequest", "The rest of the path must be the id of a resource.");
  }
  return id;
}
