import { CliError } from "../cli-error.ts";
import type { Family } from "../families/choose-families.ts";

/** The flags of `rad env create` and `rad env update` that say what an environment is like. */
export interface SettingFlags {
  readonly kubernetesNamespace?: string;
  /** Another name of `kubernetesNamespace`. */
  readonly namespace?: string;
  readonly azureSubscriptionId?: string;
  readonly azureResourceGroup?: string;
  readonly awsRegion?: string;
  readonly awsAccountId?: string;
  readonly clearAzure?: boolean;
  readonly clearAws?: boolean;
  readonly clearKubernetes?: boolean;
  readonly recipePacks?: readonly string[];
  readonly recipePackGroup?: string;
}

/** What they come to: a member that is absent stays as it is, and `null` is cleared. */
export interface EnvironmentSettings {
  readonly namespace?: string | null;
  readonly azure?: { readonly subscriptionId: string; readonly resourceGroupName: string } | null;
  readonly aws?: { readonly accountId: string; readonly region: string } | null;
}

const maxNameLength = 63;
const namespacePattern = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws CliError about the first flag that is wrong, or does not go with another one */
export function readSettings(flags: SettingFlags): EnvironmentSettings {
  refuseBoth(flags, [
    ["kubernetesNamespace", "namespace"],
    ["clearKubernetes", "kubernetesNamespace"],
    ["clearAzure", "azureSubscriptionId"],
    ["clearAzure", "azureResourceGroup"],
    ["clearAws", "awsRegion"],
    ["clearAws", "awsAccountId"],
  ]);
  const { azureSubscriptionId, azureResourceGroup, awsAccountId, awsRegion } = flags;
  refuseHalf(flags, "azureSubscriptionId", "azureResourceGroup");
  refuseHalf(flags, "awsRegion", "awsAccountId");
  const namespace = flags.kubernetesNamespace ?? flags.namespace;
  if (namespace !== undefined && (namespace.length > maxNameLength || !namespacePattern.test(namespace))) {
    throw new CliError(
      "InvalidNamespace",
      `"${namespace}" is not the name of a Kubernetes namespace: up to ${maxNameLength} lower-case letters, digits and -, starting with a letter and ending with a letter or digit.`,
    );
  }
  if (azureSubscriptionId !== undefined && !guid.test(azureSubscriptionId)) {
    throw new CliError(
      "InvalidSubscription",
      `"${azureSubscriptionId}" is not the id of an Azure subscription: a GUID.`,
    );
  }
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(flags.clearKubernetes === true ? { namespace: null } : {}),
    ...(azureSubscriptionId === undefined || azureResourceGroup === undefined
      ? {}
      : { azure: { subscriptionId: azureSubscriptionId, resourceGroupName: azureResourceGroup } }),
    ...(flags.clearAzure === true ? { azure: null } : {}),
    ...(awsAccountId === undefined || awsRegion === undefined
      ? {}
      : { aws: { accountId: awsAccountId, region: awsRegion } }),
    ...(flags.clearAws === true ? { aws: null } : {}),
  };
}

/** Whether any of the flags was given. */
export function changesAnything(flags: SettingFlags): boolean {
  return Object.keys(flagNames).some((flag) => flags[flag as keyof SettingFlags] !== undefined);
}

/** @throws CliError for flags that environments of the older family have no place for */
export function refusePreviewOnly(flags: SettingFlags, { namespace }: Pick<Family, "namespace">): void {
  if (flags.recipePackGroup !== undefined && flags.recipePacks === undefined) {
    throw new CliError("InvalidUsage", "`--recipe-pack-group` says where the packs of `--recipe-packs` are: use both.");
  }
  const previewOnly = (["recipePacks", "recipePackGroup", "clearKubernetes"] as const).find(
    (flag) => flags[flag] !== undefined,
  );
  if (previewOnly !== undefined && namespace.toLowerCase() === "applications.core") {
    throw new CliError(
      "PreviewOnly",
      `\`${flagNames[previewOnly]}\` is for environments of Radius.Core only: add \`--preview\`.`,
    );
  }
}

const flagNames: Readonly<Record<keyof SettingFlags, string>> = {
  kubernetesNamespace: "--kubernetes-namespace",
  namespace: "--namespace",
  azureSubscriptionId: "--azure-subscription-id",
  azureResourceGroup: "--azure-resource-group",
  awsRegion: "--aws-region",
  awsAccountId: "--aws-account-id",
  clearAzure: "--clear-azure",
  clearAws: "--clear-aws",
  clearKubernetes: "--clear-kubernetes",
  recipePacks: "--recipe-packs",
  recipePackGroup: "--recipe-pack-group",
};

function refuseBoth(flags: SettingFlags, pairs: readonly (readonly [keyof SettingFlags, keyof SettingFlags])[]): void {
  const [one, other] = pairs.find(([a, b]) => flags[a] !== undefined && flags[b] !== undefined) ?? [];
  if (one !== undefined && other !== undefined) {
    throw new CliError("InvalidUsage", `Use \`${flagNames[one]}\` or \`${flagNames[other]}\`, not both.`);
  }
}

function refuseHalf(flags: SettingFlags, one: keyof SettingFlags, other: keyof SettingFlags): void {
  if ((flags[one] === undefined) !== (flags[other] === undefined)) {
    throw new CliError("InvalidUsage", `Use \`${flagNames[one]}\` and \`${flagNames[other]}\` together.`);
  }
}
