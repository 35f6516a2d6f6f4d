/** Arguments of backends whose members are data of the user's: labels, tags, variables of a command. */
const dataMaps = new Set(["labels", "tags", "env"]);

/** `secretSuffix` and `secret_suffix` are `secret_suffix`, as Terraform writes arguments; `oidcRequestURL` is `oidc_request_url`. */
export function argumentName(member: string): string {
  return member
    .replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/gu, "$1_$2")
    .toLowerCase();
}

/** Whether the members of an argument are data, which keeps its spelling. */
export function isDataMap(argument: string): boolean {
  return dataMaps.has(argument);
}
