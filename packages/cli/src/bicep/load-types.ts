import type { DiskHost } from "@rad/artifacts/bicep";
import type { Compilation } from "@rad/bicep";
import type { CommandContext } from "../command-context.ts";
import type { RegisteredTypes } from "../registered-types/registered-types.ts";
import type { Notice } from "../notice.ts";

export interface TypeOptions {
  /** `false` leaves out the types that the workspace's control plane has registered. */
  readonly registeredTypes?: boolean | undefined;
  /** Where these come from; the cache when left out. */
  readonly loadRegisteredTypes?: (() => Promise<RegisteredTypes>) | undefined;
}

/** Gives the compiler the types of `extension radius` for a file that declares it: built-in and registered ones. */
export async function loadRadiusTypes(
  context: CommandContext,
  disk: DiskHost,
  uses: { readonly radius: boolean; readonly builtIn: boolean },
  options: TypeOptions,
): Promise<RegisteredTypes> {
  const { host } = context;
  if (uses.builtIn && host.radiusTypes !== undefined) {
    const [{ createRadiusPackage }, types] = await Promise.all([
      import("@rad/resource-types/bicep"),
      host.radiusTypes(),
    ]);
    disk.setBuiltInTypes("radius", createRadiusPackage(types).document);
  }
  if (!uses.radius || options.registeredTypes === false) {
    return { known: undefined, notices: [] };
  }
  const registered = await (options.loadRegisteredTypes ?? cachedTypes(context))();
  if (registered.known !== undefined) {
    const { createRegisteredPackage } = await import("@rad/resource-types/bicep");
    disk.setRegisteredTypes(createRegisteredPackage(registered.known.types).document);
  }
  return registered;
}

function cachedTypes(context: CommandContext): () => Promise<RegisteredTypes> {
  return async () => {
    const { cachedRegisteredTypes } = await import("../registered-types/registered-types.ts");
    return await cachedRegisteredTypes(context);
  };
}

/** Says which types the cache has told, and which extensions nothing is known about. */
export async function typeNotices(
  compilation: Compilation,
  { known, notices }: RegisteredTypes,
  uncheckedExtensions: readonly string[],
): Promise<readonly Notice[]> {
  const found = [...notices];
  const used = compilation.registeredTypesUsed;
  if (used.length > 0 && known?.asOf !== undefined) {
    const { timeText } = await import("../registered-types/registered-types.ts");
    const message = `Types from the cache, as ${known.endpoint} had them on ${timeText(known.asOf)}: ${used.join(", ")}.`;
    found.push({ level: "info", code: "registered-types", message });
  }
  if (uncheckedExtensions.length > 0) {
    const message = `The resources of these extensions are not checked: ${uncheckedExtensions.join(", ")}.`;
    found.push({ level: "info", code: "unchecked-types", message });
  }
  return found;
}
