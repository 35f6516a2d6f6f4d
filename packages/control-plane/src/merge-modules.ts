import type { DeploymentHost, DeploymentTarget } from "@rad/deployments";
import type { PlaneModule, Route } from "@rad/modules";
import { checkName } from "@rad/resource-types/names";
import { ConfigError } from "./config/index.ts";
import { RouteTable } from "./http/route-table.ts";
import { PlaneTable } from "./planes/plane-table.ts";
import { ModuleError, type StartedModule } from "./start-modules.ts";

/** @throws ModuleError when two modules bring the target of one provider, or one brings that of our own types. */
export function mergeTargets(modules: readonly StartedModule[]): DeploymentHost["targets"] {
  const merged = new Map<string, DeploymentTarget>();
  for (const { name, module } of modules) {
    for (const [provider, target] of Object.entries(module.targets ?? {})) {
      if (merged.has(provider) || provider === "radius") {
        throw new ModuleError(name, new Error(`Resources of '${provider}' have a deployment target already.`));
      }
      merged.set(provider, target);
    }
  }
  return Object.fromEntries(merged);
}

/** @throws ConfigError when two of them clash: the path of the metrics is the one that the configuration chooses. */
export function serverRouteTable(routes: readonly Route[]): RouteTable {
  const table = new RouteTable();
  try {
    routes.forEach((route) => table.add("the server", route));
  } catch {
    throw new ConfigError(["metricsProvider.prometheus.path: is the path of another route"]);
  }
  return table;
}

/**
 * The server's own routes and those of all modules.
 * @throws ModuleError for a route that is there already, or that no request could reach.
 */
export function mergeRoutes(
  modules: readonly StartedModule[],
  serverRoutes: readonly Route[],
  basePaths: readonly string[],
): RouteTable {
  const table = serverRouteTable(serverRoutes);
  const taken = ["/planes", ...basePaths.map((path) => path.toLowerCase())];
  for (const { name, module } of modules) {
    for (const route of module.routes ?? []) {
      try {
        checkPath(route.path, taken);
        table.add(`the module '${name}'`, route);
      } catch (error) {
        throw new ModuleError(name, error);
      }
    }
  }
  return table;
}

function checkPath(path: string, taken: readonly string[]): void {
  if (!/^(?:\/(?!\.{1,2}(?:\/|$))[a-z0-9._~-]+)+(?:\/\*)?$/.test(path)) {
    const form = "lower-case segments of letters, digits and '._~-', and perhaps '/*' at the end";
    throw new Error(`The route '${path}' must consist of ${form}.`);
  }
  const place = taken.find((start) => path === start || path.startsWith(`${start}/`));
  if (place !== undefined) {
    throw new Error(`The route '${path}' is hidden by '${place}', which is one of the server.`);
  }
}

/** @throws ModuleError for a plane type that is there already, or whose name and resource type do not go together. */
export function mergePlanes(modules: readonly StartedModule[]): PlaneTable {
  const owners = new Map<string, string>();
  const planes: PlaneModule[] = [];
  for (const { name: owner, module } of modules) {
    for (const plane of module.planes ?? []) {
      const problem = problemOf(plane, owners.get(plane.name));
      if (problem !== undefined) {
        throw new ModuleError(owner, new Error(problem));
      }
      owners.set(plane.name, owner);
      planes.push(plane);
    }
  }
  return new PlaneTable(planes);
}

function problemOf({ name, type, initial = {} }: PlaneModule, other: string | undefined): string | undefined {
  if (other !== undefined) {
    return `The plane type '${name}' is one of the module '${other}' already.`;
  }
  if (!/^[a-z][a-z0-9]*$/.test(name)) {
    return `The plane type '${name}' must consist of lower-case letters and digits.`;
  }
  if (type.toLowerCase() !== `system.${name}/planes`) {
    return `The resource type of the plane type '${name}' must be 'System.${name}/planes' in any spelling, not '${type}'.`;
  }
  const wrong = Object.keys(initial).find((plane) => checkName("plane", plane) !== undefined);
  return wrong === undefined ? undefined : `'${wrong}' is no name of a plane.`;
}
