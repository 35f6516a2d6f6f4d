import type { JsonObject } from "@rad/core";
import { ConfigurationError } from "./configuration-error.ts";
import type { StateOwner } from "./state-name.ts";
import { objectKey, schemaName, stateHash, statePath } from "./state-name.ts";

/** The arguments that name the state within a backend, changed so that each resource has a state of its own. */
export interface StateArguments {
  readonly stateName: string;
  readonly config: JsonObject;
}

/** Settings are shared by all resources of their environments, so what they name is a place for many states. */
export function stateArguments(type: string, config: JsonObject, owner: StateOwner): StateArguments {
  switch (type) {
    case "pg":
      return named("schema_name", schemaName(text(config, "schema_name", "terraform_remote_state"), owner));
    case "gcs":
      return named("prefix", statePath(text(config, "prefix"), owner));
    case "consul":
      return named("path", statePath(text(config, "path"), owner));
    case "http":
      return addresses(config, owner);
    case "azurerm":
    case "s3":
    case "oss":
    case "cos":
    case "oci":
      return named("key", objectKey(text(config, "key"), owner));
    default:
      throw new TypeError(`The backend '${type}' is not known.`);
  }
}

function named(argument: string, stateName: string): StateArguments {
  return { stateName, config: { [argument]: stateName } };
}

/** Locks are often below the address of the state (`…/prod/lock` of `…/prod`), and stay there. */
function addresses(config: JsonObject, owner: StateOwner): StateArguments {
  const address = text(config, "address");
  if (address === "") {
    // One in the environment would be the same for every resource.
    throw new ConfigurationError(
      "RecipeConfigurationFailure",
      "The backend 'http' of the Terraform settings cannot be used: address is missing.",
    );
  }
  const stateName = addressOf(address, owner);
  const others = ["lock_address", "unlock_address"].flatMap((argument) => {
    const other = text(config, argument);
    if (other === "") {
      return [];
    }
    const base = pathOf(address);
    const moved = other.startsWith(`${base}/`) ? pathOf(stateName) + other.slice(base.length) : addressOf(other, owner);
    return [[argument, moved] as const];
  });
  return { stateName, config: { address: stateName, ...Object.fromEntries(others) } };
}

/** `https://states.example/prod?x=1` is `https://states.example/prod-<hash>?x=1`. */
function addressOf(address: string, owner: StateOwner): string {
  const path = pathOf(address);
  return `${path}${path.endsWith("/") ? "" : "-"}${stateHash(owner)}${address.slice(path.length)}`;
}

function pathOf(address: string): string {
  return address.split(/[?#]/u, 1)[0] ?? "";
}

function text(config: JsonObject, argument: string, otherwise = ""): string {
  const value = config[argument];
  return typeof value === "string" && value !== "" ? value : otherwise;
}
