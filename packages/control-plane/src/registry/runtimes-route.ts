import { jsonAnswer, type Route } from "@rad/modules";
import type { TypeModules } from "@rad/resources";
import type { TargetPlace } from "../kubernetes/object-targets.ts";

/**
 * `GET /runtimes`: the types that code stands behind, and whether their Kubernetes objects go to a cluster or to a folder,
 * so that a client can tell what runs from what is only recorded or written down. It says what the program can do and
 * nothing about what it holds, so it is open like `/version`.
 */
export function runtimesRoute(
  backend: () => Promise<{ readonly types: TypeModules }>,
  { kubeConfig, inCluster }: Pick<TargetPlace, "kubeConfig" | "inCluster">,
): Route {
  const kubernetes = kubeConfig !== undefined || inCluster ? "cluster" : "folder";
  return {
    method: "GET",
    path: "/runtimes",
    permission: undefined,
    handle: async () => {
      const { types } = await backend();
      const value = [...types].filter(({ handler }) => handler?.put !== undefined).map(({ name }) => name);
      return jsonAnswer(200, { value: value.sort(), kubernetes });
    },
  };
}
