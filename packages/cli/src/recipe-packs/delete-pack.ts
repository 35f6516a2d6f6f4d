import type { Client } from "@rad/client";
import { ClientError } from "@rad/client";
import { isJsonObject, objectMember } from "@rad/core/json";
import { ResourceId } from "@rad/core/resource-id";
import { familyVersion } from "@rad/radius-types/families";
import type { CommandContext } from "../command-context.ts";
import { writableProperties } from "../environments/environment-properties.ts";
import { packIdIn } from "../environments/recipe-packs.ts";
import { putShown } from "../resources/put-shown.ts";
import { groupOf } from "../scope.ts";
import type { PackOptions } from "./find-pack.ts";
import { findPack, namedPack } from "./find-pack.ts";

export interface DeletePackOptions extends PackOptions {
  readonly yes?: boolean;
}

/** Deletes a recipe pack after taking it out of the environments that use it. */
export async function deletePack(context: CommandContext, name: string, options: DeletePackOptions): Promise<void> {
  const { output } = context;
  const named = await namedPack(context, name, options);
  const { client, id, apiVersion, display } = named;
  const pack = await findPack(named);
  if (pack === undefined) {
    output.done(`${display} not found`, { id, status: "not found" });
    return;
  }
  const environments = referencesOf(pack["properties"]);
  const users = environments.map((one) => `"${one.split("/").at(-1)}"`).join(", ");
  const { confirm } = await import("../prompts.ts");
  const text =
    environments.length === 0
      ? `Delete the recipe pack "${name}"?`
      : `The recipe pack "${name}" is used by the environment(s) ${users}, which will be changed. Delete it?`;
  if (!(await confirm(context, { text, assumeYes: options.yes === true }))) {
    return;
  }
  for (const environment of environments) {
    await leavePack(context, client, environment, pack.id);
  }
  const outcome = await client.resources.delete(pack.id, { apiVersion });
  const status = outcome === "deleted" ? "deleted" : "not found";
  output.done(`${display} ${status}`, { id: pack.id, status });
}

function referencesOf(properties: unknown): string[] {
  const listed = isJsonObject(properties) ? properties["referencedBy"] : undefined;
  return (Array.isArray(listed) ? listed : []).filter((one) => typeof one === "string");
}

/** An environment that is gone by now is left alone. */
async function leavePack(context: CommandContext, client: Client, environment: string, pack: string): Promise<void> {
  const apiVersion = familyVersion(environment);
  let found;
  try {
    found = await client.resources.getWithEtag(environment, { apiVersion });
  } catch (error) {
    if (error instanceof ClientError && error.isNotFound) {
      return;
    }
    throw error;
  }
  const { resource, etag } = found;
  const { name, type } = ResourceId.parse(environment);
  const listed = objectMember(resource, "properties")["recipePacks"];
  const packs = Array.isArray(listed) ? listed : [];
  // A name is one in the environment's own group.
  const full = (one: unknown) =>
    typeof one === "string" && !one.startsWith("/") ? packIdIn(groupOf(environment) ?? "", one) : String(one);
  await putShown(
    context,
    client,
    { id: environment, type, name },
    {
      location: resource["location"] ?? "global",
      ...(resource["tags"] === undefined ? {} : { tags: resource["tags"] }),
      properties: {
        ...writableProperties(resource),
        recipePacks: packs.filter((one) => full(one).toLowerCase() !== pack.toLowerCase()),
      },
    },
    { apiVersion, ifMatch: etag },
  );
}
