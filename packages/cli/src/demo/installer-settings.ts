import { resolve } from "node:path";
import type { ConfigOverrides } from "@rad/control-plane";
import type { CliHost } from "../host.ts";

type InstallerSettings = NonNullable<NonNullable<ConfigOverrides["terraform"]>["installer"]>;

/** Where a server's configuration says that Terraform comes from; the rest of it is left alone. */
export async function installerSettings(host: CliHost, configFile: string | undefined): Promise<InstallerSettings> {
  if (configFile === undefined) {
    return {};
  }
  const { loadServerConfig } = await import("@rad/control-plane");
  const { defaultSourceUrl, indexUrl, keys, caBundle } = loadServerConfig({
    file: resolve(host.cwd, configFile),
    env: host.env,
  }).terraform.installer;
  return { defaultSourceUrl, indexUrl, keys, caBundle };
}
