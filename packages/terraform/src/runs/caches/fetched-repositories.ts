import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, Limiter } from "@rad/core";
import { gitCommitOf, gitHeadOf, type GitPlace, type GitRun } from "./git-commit.ts";
import { moduleSourceOf } from "./module-source.ts";

/** A repository that a module, or one that it uses, came from, and what its ref was then. */
export interface FetchedRepository extends GitPlace {
  readonly commit: string;
}

/**
 * The repositories of all modules that `terraform get` has fetched. `undefined` if one of them has changed meanwhile, or
 * does not say: then nobody can tell what was fetched.
 */
export async function fetchedRepositories(
  modules: string,
  use: GitRun,
): Promise<readonly FetchedRepository[] | undefined> {
  const manifest: unknown = JSON.parse(await readFile(join(modules, "modules.json"), "utf8"));
  const entries = isJsonObject(manifest) ? manifest["Modules"] : undefined;
  const clones = new Map<string, { readonly place: GitPlace; readonly folders: string[] }>();
  for (const entry of Array.isArray(entries) ? entries : []) {
    const { Source: source, Key: key } = entry as { Source?: unknown; Key?: unknown };
    const kind = moduleSourceOf(typeof source === "string" ? source : "", undefined);
    if (kind.kind === "git" && typeof key === "string") {
      const { url, ref } = kind;
      const clone = clones.get(`${url} ${ref}`) ?? { place: { url, ref }, folders: [] };
      clone.folders.push(join(modules, key));
      clones.set(`${url} ${ref}`, clone);
    }
  }
  const found = await aFewAtOnce([...clones.values()], async ({ place, folders }) => {
    const commit = await gitCommitOf(place, use);
    const head = await gitHeadOf(folders, use);
    const isSame = commit !== undefined && head !== undefined && (commit.includes(head) || head.startsWith(commit));
    return isSame ? { ...place, commit } : undefined;
  });
  return found.includes(undefined) ? undefined : found.filter((one) => one !== undefined);
}

/** Whether all are still what they were, and this run may read each of them. */
export async function areCurrent(repositories: readonly FetchedRepository[], use: GitRun): Promise<boolean> {
  const now = await aFewAtOnce(repositories, (place) => gitCommitOf(place, use));
  return repositories.every(({ commit }, index) => now[index] === commit);
}

/** Each is a process or two, and a module may use as many others as it likes. */
const mostAtOnce = 8;

async function aFewAtOnce<From, To>(all: readonly From[], work: (one: From) => Promise<To>): Promise<readonly To[]> {
  const limiter = new Limiter(mostAtOnce);
  return await Promise.all(all.map((one) => limiter.run(() => work(one))));
}
