import { formatPath, isJsonObject, isSecretId, objectMember } from "@rad/core";
import type { JsonObject, SecretReference } from "@rad/core";
import { gitHostProblem, httpsHost } from "@rad/core/terraform";
import type { Problem } from "@rad/resource-types";
import { sortedMembers, textMember } from "../rendering/members.ts";

const member = ["authentication", "git", "pat"];

/** The token of a host; its key may also be one that ends in `.pat`. */
interface GitTokenSecret extends SecretReference {
  readonly isGit: true;
}

/** The tokens by host below `recipeConfig.terraform`, or in Terraform settings. */
function gitTokens(terraform: JsonObject): JsonObject {
  return objectMember(objectMember(objectMember(terraform, "authentication"), "git"), "pat");
}

/** Hosts with a token, in the form that they are compared in. An entry without a secret means no credentials. */
export function gitTokenHosts(terraform: JsonObject): ReadonlySet<string> {
  return new Set(
    sortedMembers(gitTokens(terraform)).flatMap(([host, entry]) =>
      textMember(entry, "secret") === undefined ? [] : (httpsHost(host) ?? []),
    ),
  );
}

/** The secrets that the tokens are in. */
export function gitTokenSecrets(terraform: JsonObject): readonly GitTokenSecret[] {
  return sortedMembers(gitTokens(terraform)).flatMap(([, entry]) => {
    const secretId = textMember(entry, "secret");
    return secretId !== undefined && isSecretId(secretId) ? [{ secretId, key: "pat", isGit: true as const }] : [];
  });
}

/**
 * What is wrong with hosts and ids. Takes anything, as the schema's problems are reported together with these.
 * @param path of `terraform`, below the properties
 */
export function gitTokenProblems(terraform: JsonObject, path: readonly string[]): readonly Problem[] {
  const seen = new Map<string, string>();
  return Object.entries(gitTokens(terraform)).flatMap(([host, entry]) => {
    const at = ["properties", ...path, ...member, host];
    const problems: Problem[] = [];
    const wrong = gitHostProblem(host);
    const name = httpsHost(host) ?? host;
    const same = seen.get(name);
    seen.set(name, host);
    if (wrong !== undefined) {
      problems.push({ path: formatPath(at), message: wrong });
    } else if (same !== undefined) {
      problems.push({ path: formatPath(at), message: `is the same host as '${same}'. Write it once.` });
    }
    const secret = isJsonObject(entry) ? entry["secret"] : undefined;
    if (typeof secret === "string" && !isSecretId(secret)) {
      problems.push({
        path: formatPath([...at, "secret"]),
        message: "must be the resource id of an Applications.Core/secretStores or a Radius.Security/secrets.",
      });
    }
    return problems;
  });
}

/** One warning for each host without a secret. */
export function emptyGitTokens(terraform: JsonObject, path: readonly string[]): readonly string[] {
  return sortedMembers(gitTokens(terraform)).flatMap(([host, entry]) =>
    entry["secret"] === undefined
      ? [
          `${formatPath(["properties", ...path, ...member, host]).slice(2)} has no 'secret'. Modules from ${host} are fetched without credentials.`,
        ]
      : [],
  );
}
