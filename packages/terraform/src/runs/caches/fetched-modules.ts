import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, Limiter } from "@rad/core";
import { moduleAddressOf } from "@rad/core/terraform";
import { gitCommitOf, gitHeadOf, type GitPlace, type GitRun } from "./git-commit.ts";
import { moduleSourceOf } from "./module-source.ts";
import { ModuleRegistries, type RegistryModule, registryModuleOf } from "./registry-modules.ts";

/** A repository that a module, or one that it uses, came from, and what its ref was then. */
export interface FetchedRepository extends GitPlace {
  readonly commit: string;
}

/** What has to hold so that a run may have modules that another one has fetched. */
export interface FetchedModules {
  readonly repositories: readonly FetchedRepository[];
  /** Of registries that asked for a token: they never change, but the token may be revoked. */
  readonly privateModules: readonly RegistryModule[];
}

/**
 * Where all modules come from that `terraform get` has fetched. `undefined` if one comes from a place that may change without
 * notice, if a repository has changed meanwhile, or if a server does not say: then nobody can tell what was fetched, and who
 * may have it.
 */
export async function fetchedModules(modules: string, use: GitRun): Promise<FetchedModules | undefined> {
  const manifest: unknown = JSON.parse(await readFile(join(modules, "modules.json"), "utf8"));
  const entries = isJsonObject(manifest) ? manifest["Modules"] : undefined;
  const registries = new ModuleRegistries(use);
  const privateModules = new Map<string, RegistryModule>();
  const sources = await aFewAtOnce(Array.isArray(entries) ? entries : [], async (entry) => {
    const {
      Source: source,
      Key: key,
      Version: version,
    } = entry as Partial<Record<"Source" | "Key" | "Version", string>>;
    const module = registryModuleOf(source ?? "", version);
    const isPrivate = module !== undefined && registries.isPrivate(module);
    if (isPrivate) {
      privateModules.set(JSON.stringify(module), module);
    }
    if (module === undefined) {
      const isKnown = isLocal(source ?? "") || moduleSourceOf(source ?? "", undefined).kind === "git";
      return isKnown ? { key, source } : undefined;
    }
    const origins = gitOriginsIn(use.env);
    if (!isPrivate && origins.size === 0) {
      return { key, source: "" };
    }
    const location = await registries.locationOf(module);
    const isPrivateRepository = origins.has(moduleAddressOf(location ?? "")?.origin ?? "");
    return location === undefined ? undefined : { key, source: isPrivateRepository ? location : "" };
  });
  const clones = new Map<string, { readonly place: GitPlace; readonly folders: string[] }>();
  for (const { key, source } of sources.filter((one) => one !== undefined)) {
    const kind = moduleSourceOf(source ?? "", undefined);
    if (kind.kind === "git" && key !== undefined) {
      const { url, ref } = kind;
      const clone = clones.get(`${url} ${ref}`) ?? { place: { url, ref }, folders: [] };
      clone.folders.push(join(modules, key));
      clones.set(`${url} ${ref}`, clone);
    }
  }
  const repositories = await aFewAtOnce([...clones.values()], async ({ place, folders }) => {
    const commit = await gitCommitOf(place, use);
    const head = await gitHeadOf(folders, use);
    const isSame = commit !== undefined && head !== undefined && (commit.includes(head) || head.startsWith(commit));
    // Submodules come from repositories of their own, which would have to be asked too.
    return isSame && !folders.some((folder) => existsSync(join(folder, ".gitmodules")))
      ? { ...place, commit }
      : undefined;
  });
  return sources.includes(undefined) || repositories.includes(undefined)
    ? undefined
    : {
        repositories: repositories.filter((one) => one !== undefined),
        privateModules: [...privateModules.values()],
      };
}

/** Whether all are still what they were, and this run may read each of them. */
export async function areCurrent({ repositories, privateModules }: FetchedModules, use: GitRun): Promise<boolean> {
  const registries = new ModuleRegistries(use);
  const checks = [
    ...repositories.map((place) => async () => (await gitCommitOf(place, use)) === place.commit),
    ...privateModules.map((module) => async () => (await registries.locationOf(module)) !== undefined),
  ];
  return (await aFewAtOnce(checks, (check) => check())).every(Boolean);
}

/** In the repository or package of the module that uses it. */
function isLocal(source: string): boolean {
  return source === "" || /^\.\.?\//u.test(source);
}

/** Those that the run has credentials for. */
function gitOriginsIn(env: Readonly<Record<string, string>>): ReadonlySet<string> {
  return new Set(
    Object.entries(env).flatMap(([name, value]) =>
      name.startsWith("GIT_CONFIG_KEY_") ? (/^credential\.(.+)\.helper$/u.exec(value)?.[1] ?? []) : [],
    ),
  );
}

/** Each is a process or two, and a module may use as many others as it likes. */
const mostAtOnce = 8;

async function aFewAtOnce<From, To>(all: readonly From[], work: (one: From) => Promise<To>): Promise<readonly To[]> {
  const limiter = new Limiter(mostAtOnce);
  return await Promise.all(all.map((one) => limiter.run(() => work(one))));
}
