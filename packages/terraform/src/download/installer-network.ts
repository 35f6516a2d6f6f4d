import { createNetwork } from "@rad/artifacts/download";
import type { Network, NetworkOptions } from "@rad/artifacts/download";

export interface InstallerNetworkOptions {
  /** PEM certificates that are trusted besides the system's. */
  readonly ca: readonly (string | undefined)[];
  readonly proxy: NetworkOptions["proxy"];
  readonly resolve: NetworkOptions["resolve"] | undefined;
}

/**
 * The way to mirrors. Internal ones are the purpose, so private networks and this machine may be asked; link-local
 * addresses and metadata services never.
 */
export function installerNetwork({ ca, proxy, resolve }: InstallerNetworkOptions): Network {
  const bundles = ca.filter((bundle) => bundle !== undefined && bundle.trim() !== "");
  return createNetwork({
    addresses: "loopback",
    systemRoots: true,
    ca: bundles.length === 0 ? undefined : bundles.join("\n"),
    proxy,
    ...(resolve === undefined ? {} : { resolve }),
  });
}

/** What every request of the installer keeps to. */
export const requestRules = {
  plainHttp: "never",
  redirects: { max: 10, to: "anyHost" },
  headers: { "user-agent": "rad-terraform-installer" },
} as const;
