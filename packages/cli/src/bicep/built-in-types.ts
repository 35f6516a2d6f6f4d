import type { CliHost } from "../host.ts";
import type { DiskHost } from "@rad/artifacts/bicep";

/** Loads the types of the built-in extensions that a compilation uses: only `radius` has some. */
export async function loadBuiltInTypes(host: CliHost, disk: DiskHost, extensions: readonly string[]): Promise<void> {
  if (host.radiusTypes === undefined || !extensions.includes("radius")) {
    return;
  }
  const [{ createRadiusPackage }, types] = await Promise.all([import("@rad/resource-types/bicep"), host.radiusTypes()]);
  disk.setBuiltInTypes("radius", createRadiusPackage(types).document);
}
