import { mirrorUrlProblem, normalMirrorUrl, normalPattern, patternProblem } from "@rad/core/terraform";
import { ConfigurationError } from "./configuration-error.ts";
import { hclString } from "./hcl-text.ts";
import type { ProviderInstallation, ProviderSelection } from "./terraform-settings.ts";

export interface TerraformrcOptions {
  /** What the settings say; without it providers come from the registries that they name. */
  readonly providerInstallation?: ProviderInstallation | undefined;
  /** Providers on this disk, in the unpacked layout: looked up here alone. */
  readonly local?: LocalProviders | undefined;
}

export interface LocalProviders {
  readonly path: string;
  /** Such as `registry.terraform.io/hashicorp/aws`. */
  readonly providers: readonly string[];
}

/** How Terraform may install providers, in the order of the file. */
export interface InstallationMethod {
  readonly kind: "filesystem_mirror" | "network_mirror" | "direct";
  readonly path?: string;
  readonly url?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** @throws ConfigurationError for a URL or a pattern that Terraform would not read, as it would go on without it. */
export function installationMethods({ providerInstallation, local }: TerraformrcOptions): InstallationMethod[] {
  const methods: InstallationMethod[] = [];
  if (local !== undefined && local.providers.length > 0) {
    methods.push({ kind: "filesystem_mirror", path: local.path, include: local.providers.map(checkedPattern) });
  }
  const { networkMirror, direct } = providerInstallation ?? {};
  const onDisk = methods[0]?.include ?? [];
  if (networkMirror !== undefined) {
    const problem = mirrorUrlProblem(networkMirror.url);
    if (problem !== undefined) {
      throw unusable("networkMirror.url", problem);
    }
    methods.push({
      kind: "network_mirror",
      url: normalMirrorUrl(networkMirror.url),
      ...selection(networkMirror, onDisk),
    });
  }
  if (direct !== undefined || networkMirror === undefined) {
    methods.push({ kind: "direct", ...selection(direct ?? {}, onDisk) });
  }
  return methods;
}

/** Providers on the disk are excluded elsewhere, as Terraform would ask every method for newer versions. */
function selection({ include, exclude = [] }: ProviderSelection, onDisk: readonly string[]): ProviderSelection {
  const excluded = [...exclude.map(checkedPattern), ...onDisk];
  return {
    ...(include !== undefined && include.length > 0 && { include: include.map(checkedPattern) }),
    ...(excluded.length > 0 && { exclude: excluded }),
  };
}

function checkedPattern(pattern: string): string {
  const problem = patternProblem(pattern);
  if (problem !== undefined) {
    throw unusable("include or exclude", problem);
  }
  return normalPattern(pattern);
}

function unusable(member: string, problem: string): ConfigurationError {
  return new ConfigurationError(
    "RecipeConfigurationFailure",
    `The providerInstallation of the Terraform settings cannot be used: ${member}: ${problem}`,
  );
}

export function renderMethods(methods: readonly InstallationMethod[]): string {
  return ["provider_installation {", ...methods.flatMap(renderMethod), "}", ""].join("\n");
}

function renderMethod({ kind, path, url, include, exclude }: InstallationMethod): string[] {
  const list = (items: readonly string[]) => `[${items.map(hclString).join(", ")}]`;
  return [
    `  ${kind} {`,
    ...(path === undefined ? [] : [`    path = ${hclString(path)}`]),
    ...(url === undefined ? [] : [`    url = ${hclString(url)}`]),
    ...(include === undefined ? [] : [`    include = ${list(include)}`]),
    ...(exclude === undefined ? [] : [`    exclude = ${list(exclude)}`]),
    "  }",
  ];
}
