import type { CommandContext } from "../command-context.ts";
import { packType } from "../environments/recipe-packs.ts";
import { readBodyOrProperties } from "../resources/read-resource-body.ts";
import { putShown } from "../resources/put-shown.ts";
import type { PackOptions } from "./find-pack.ts";
import { findPack, namedPack } from "./find-pack.ts";

export interface CreatePackOptions extends PackOptions {
  readonly fromFile: string;
}

/** Creates a recipe pack or replaces its recipes, from a file that begins with `recipes:` or is a whole resource. */
export async function createPack(context: CommandContext, name: string, options: CreatePackOptions): Promise<void> {
  const body = await readBodyOrProperties(context.host, options.fromFile, "recipes");
  const pack = await namedPack(context, name, options);
  const { client, id, apiVersion, display } = pack;
  const exists = (await findPack(pack)) !== undefined;
  const written = await putShown(
    context,
    client,
    { id, type: packType, name },
    { location: "global", ...body },
    { apiVersion },
  );
  context.output.done(`${display} ${exists ? "updated" : "created"}`, written);
}
