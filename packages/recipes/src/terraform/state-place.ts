import { hash } from "node:crypto";
import type { JsonObject, JsonValue } from "@rad/core";
import { variableOfArgument } from "@rad/core/terraform";
import { type Backend, type StatePlace, type TerraformRun, withStateName } from "@rad/terraform";

/** Where the control plane keeps states, and what it knows of them. */
export interface StatePlaces {
  /**
   * For environments that name no backend.
   * @param access of the run, for states that the control plane serves
   * @param use `look`: nothing is prepared, such as the namespace of states
   */
  place(access: TerraformRun["stateAccess"], use?: "run" | "look"): Promise<StatePlace>;
  /** Whether there is a state of that name; asked only where a state may be under one of several names. */
  exists(backend: Backend, stateName: string): Promise<boolean>;
  /** After everything in it is destroyed. Backends that we cannot reach keep an empty state. */
  remove(backend: Backend): Promise<void>;
}

export interface ChosenState {
  readonly backend: Backend;
  /** Where the state was at the run before, if it was somewhere else. */
  readonly moved: string | undefined;
}

/** Arguments that tell one place from another; the rest says how to get there. */
const placeArguments: Readonly<Record<string, readonly string[]>> = {
  kubernetes: ["namespace", "host", "config_path", "config_context"],
  s3: ["bucket", "endpoints", "endpoint"],
  azurerm: ["storage_account_name", "container_name"],
  gcs: ["bucket"],
  oss: ["bucket"],
  cos: ["bucket"],
  oci: ["bucket", "namespace"],
  consul: ["address", "datacenter"],
  pg: ["conn_str"],
};

/** What the record of a recipe says about its state. No secret is among a backend's arguments. */
export function statePlaceOf(backend: Backend): JsonObject {
  const { type, stateName } = backend;
  const place = Object.fromEntries(
    (placeArguments[type] ?? []).flatMap((name) => {
      const value = placeValue(backend, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return { backend: type, name: stateName, place };
}

/** A place that a secret names is told from others by its hash. */
function placeValue({ type, config, env }: Backend, name: string): JsonValue | undefined {
  const written = config[name];
  const secret = env[variableOfArgument(type, name) ?? ""];
  const value = written ?? secret;
  const place = name === "conn_str" && typeof value === "string" ? databaseOf(value) : value;
  return written === undefined && typeof place === "string" ? hash("sha256", place).slice(0, 16) : place;
}

/** Where a connection string leads, without user and password: another password does not move the state. */
function databaseOf(connection: string): string {
  const url = /^postgres(?:ql)?:\/\//iu.test(connection) ? URL.parse(connection) : null;
  const text = url === null ? connection : [...url.searchParams].map(([name, value]) => `${name}=${value}`).join(" ");
  const parts = text.matchAll(/\b(host|hostaddr|port|dbname)\s*=\s*('(?:[^'\\]|\\.)*'|\S+)/giu);
  const named = [...parts].map(([, name = "", value]) => `${name.toLowerCase()}=${value}`).sort();
  return [...(url === null ? [] : [`${url.host}${url.pathname}`]), ...named].join(" ");
}

/**
 * The state of a resource in its backend: the one of the run before, or one that is there under a name of former versions or
 * settings, or else a new one.
 */
export async function chooseState(
  backend: Backend,
  recorded: JsonObject | undefined,
  states: Pick<StatePlaces, "exists">,
): Promise<ChosenState> {
  const names = [backend.stateName, ...backend.legacyNames];
  const { name, backend: type } = recorded ?? {};
  if (recorded === undefined || typeof name !== "string") {
    return { backend: await existing(backend, names, states), moved: undefined };
  }
  const there = JSON.stringify(recorded["place"]);
  const here = JSON.stringify(statePlaceOf(withName(backend, name))["place"]);
  // Versions before this one did not record the database.
  const isHere = there === here || (type === "pg" && there === "{}");
  if (type === backend.type && isHere && names.includes(name)) {
    return { backend: withName(backend, name), moved: undefined };
  }
  const place = Object.values((recorded["place"] ?? {}) as JsonObject).map((value) =>
    typeof value === "string" ? value : JSON.stringify(value),
  );
  return { backend, moved: [typeof type === "string" ? type : "", ...place, name].join(" ") };
}

async function existing(
  backend: Backend,
  names: readonly string[],
  states: Pick<StatePlaces, "exists">,
): Promise<Backend> {
  for (const name of names.length > 1 ? names : []) {
    if (await states.exists(backend, name)) {
      return withName(backend, name);
    }
  }
  return backend;
}

function withName(backend: Backend, name: string): Backend {
  return name === backend.stateName ? backend : withStateName(backend, name);
}
