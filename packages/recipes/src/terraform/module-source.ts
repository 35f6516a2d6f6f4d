import {
  gitSourceOf,
  gitVersionProblem,
  isGitSource,
  moduleAddressOf,
  withSecretQuery,
  withUserInfo,
} from "@rad/core/terraform";
import { type RecipeDefinition, setupError } from "@rad/radius-types";
import type { GitCredential } from "@rad/terraform";
import type { DriverWork } from "../driver.ts";
import { inRecipe } from "./run-failure.ts";

/** How a run gets its module. */
export interface ModuleAccess {
  /** The address as Terraform gets it. Credentials are in it only where Terraform takes them from nowhere else. */
  readonly source: string;
  readonly git: readonly GitCredential[];
}

/**
 * @param stored credentials of hosts, from secrets
 * @throws RecipeError for a version of a repository
 */
export function moduleAccess(work: Pick<DriverWork, "definition">, stored: readonly GitCredential[]): ModuleAccess {
  const { source: shown, version, userInfo, secretQuery = [] } = work.definition;
  const source = withSecretQuery(shown, secretQuery);
  const hosts = new Set(stored.map(({ origin }) => origin.replace(/^https:\/\//u, "")));
  const plain = userInfo === undefined ? source : withUserInfo(source, undefined);
  const isGit = isGitSource(plain, hosts);
  if (isGit && version !== undefined) {
    throw setupError("RecipeConfigurationFailure", inRecipe(work, gitVersionProblem));
  }
  if (userInfo === undefined) {
    return { source: gitSourceOf(source, hosts), git: stored };
  }
  return isGit
    ? { source: gitSourceOf(plain, hosts), git: withOwn(plain, userInfo, stored) }
    : { source: withUserInfo(source, userInfo), git: stored };
}

/** Every value that the address has and does not show, in each spelling that Terraform and git may print. */
export function addressSecrets({
  userInfo,
  secretQuery = [],
}: Pick<RecipeDefinition, "userInfo" | "secretQuery">): string[] {
  const values = secretQuery.flatMap(({ value }) => [value, ...new URLSearchParams(`_=${value}`).values()]);
  return [...new Set([...Object.values(userInfo ?? {}), ...values])];
}

/** What the address itself has comes before the credentials of its host. A name alone is one for the token of the host. */
function withOwn(
  source: string,
  { username, password }: NonNullable<RecipeDefinition["userInfo"]>,
  stored: readonly GitCredential[],
): GitCredential[] {
  const origin = moduleAddressOf(source)?.origin ?? "";
  const ofHost = stored.find((credential) => credential.origin === origin);
  const own =
    password === undefined && ofHost !== undefined
      ? { username, ...ofHost }
      : { origin, username, password: password ?? "" };
  return [...stored.filter((credential) => credential !== ofHost), own];
}
