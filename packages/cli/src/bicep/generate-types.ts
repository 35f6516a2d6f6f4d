import type { CommandContext } from "../command-context.ts";
import { registeredTypesOf } from "../registered-types/registered-types.ts";
import { packagePath, writePackage } from "./type-package-file.ts";
import type { PackageTarget } from "./type-package-file.ts";

/** Makes one type package of all types that the workspace's control plane has registered: a whole `extension radius`. */
export async function generateTypes(context: CommandContext, options: PackageTarget): Promise<void> {
  const path = packagePath(context.host, options);
  const client = await context.client();
  const summaries = await client.providers.summaries();
  const types = registeredTypesOf(summaries).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const { createRegisteredPackage } = await import("@rad/resource-types/bicep");
  const made = createRegisteredPackage(types);
  await writePackage(path, made);
  const count = made.paths.length - 1;
  context.output.done(`${options.target} written: ${count} types in all their versions, from ${client.endpoint}`, {
    target: path,
    types: count,
  });
  context.output.note(
    `To use it, write ${JSON.stringify({ extensions: { radius: options.target } })} into bicepconfig.json.`,
  );
}
