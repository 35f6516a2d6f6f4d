/** A source whose content is known without a download, and what has to be asked for that. */
export type ModuleSource =
  /** A version in a registry, which never changes. */
  | { readonly kind: "registry" }
  /** A repository, whose server is asked what the ref is now. */
  | { readonly kind: "git"; readonly url: string; readonly ref: string }
  /** Anything else may have changed, and is downloaded each time. */
  | { readonly kind: "other" };

const registrySource = /^(?:[\w.-]+\.[\w.-]+(?::\d+)?\/)?[\w-]+\/[\w-]+\/[\w-]+(?:\/\/.*)?$/u;
const exactVersion = /^=?\s*v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/u;
const forges = /^(?:github\.com|bitbucket\.org|gitlab\.com)\//u;

/** Tells how a source is downloaded, as Terraform does. */
export function moduleSourceOf(source: string, version: string | undefined): ModuleSource {
  const git = gitSourceOf(source);
  if (git !== undefined) {
    return git;
  }
  const isPinned = version !== undefined && exactVersion.test(version.trim());
  return registrySource.test(source) && !forges.test(source) && isPinned ? { kind: "registry" } : { kind: "other" };
}

function gitSourceOf(source: string): ModuleSource | undefined {
  const forge = /^(github\.com|bitbucket\.org)\/([^/?]+)\/([^/?]+)/u.exec(source);
  const address = source.startsWith("git::")
    ? source.slice("git::".length)
    : forge === null
      ? undefined
      : `https://${forge[1]}/${forge[2]}/${(forge[3] ?? "").replace(/\.git$/u, "")}.git${source.slice(forge[0].length)}`;
  if (address === undefined) {
    return undefined;
  }
  const [place = "", query = ""] = address.split("?", 2);
  const [, scheme = "", rest = ""] = /^([a-z+]+:\/\/)?(.*)$/u.exec(place) ?? [];
  const url = `${scheme}${rest.split("//", 1)[0] ?? ""}`;
  const ref = new URLSearchParams(query).get("ref") ?? "HEAD";
  // A password would be seen among the arguments of git, and a name that begins like an option is one.
  const isSafe = !/^[a-z+]+:\/\/[^/]*:[^/]*@/u.test(url) && !url.startsWith("-") && !ref.startsWith("-");
  return isSafe ? { kind: "git", url, ref } : { kind: "other" };
}
