import { jsonAnswer, type Route } from "@rad/modules";
import type { TypeModules } from "@rad/resources";

/**
 * `GET /runtimes`: the types that code stands behind, so that a client can tell what runs from what is only recorded. It
 * says what the program can do and nothing about what it holds, so it is open like `/version`.
 */
export function runtimesRoute(backend: () => Promise<{ readonly types: TypeModules }>): Route {
  return {
    method: "GET",
    path: "/runtimes",
    permission: undefined,
    handle: async () => {
      const { types } = await backend();
      const value = [...types].filter(({ handler }) => handler?.put !== undefined).map(({ name }) => name);
      return jsonAnswer(200, { value: value.sort() });
    },
  };
}
