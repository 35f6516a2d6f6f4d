import { normalMirrorUrl, normalPattern } from "@rad/core/terraform";
import type { TerraformSettings } from "@rad/terraform";

type ProviderInstallation = NonNullable<TerraformSettings["terraformrc"]>["providerInstallation"];

/** Registries that a pattern without a host means, by Terraform and by OpenTofu. */
const publicHosts = ["registry.terraform.io", "registry.opentofu.org"];

/** The mirror that settings name for a provider; `undefined` for those that come from their own registry. */
export function mirrorOf(installation: ProviderInstallation): (address: string) => string | undefined {
  const { networkMirror } = installation ?? {};
  if (networkMirror === undefined) {
    return () => undefined;
  }
  const { url, include = [], exclude = [] } = networkMirror;
  return (address) => {
    const isIncluded = include.length === 0 || include.some((pattern) => matches(address, pattern));
    return isIncluded && !exclude.some((pattern) => matches(address, pattern)) ? normalMirrorUrl(url) : undefined;
  };
}

function matches(address: string, pattern: string): boolean {
  const parts = normalPattern(pattern).split("/");
  const [host = "", ...name] = address.split("/");
  const isHost = parts.length === 2 ? publicHosts.includes(host) : parts[0] === "*" || parts[0] === host;
  return isHost && parts.slice(-2).every((part, index) => part === "*" || part === name[index]);
}
