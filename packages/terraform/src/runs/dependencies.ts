import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, type JsonValue } from "@rad/core";
import { withoutCredentials } from "@rad/core/terraform";
import { gitCommitOf } from "./caches/git-commit.ts";
import { type LockedProvider, lockedProviders, lockFileName } from "./caches/lock-file.ts";
import { moduleSourceOf } from "./caches/module-source.ts";
import type { ModuleDependency, ProviderDependency } from "./terraform-run.ts";

export interface DependencyWork {
  /** Working folder of the run. */
  readonly work: string;
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}

/** Modules of the working folder, those of modules included; each once. Folders of a module come with it. */
export async function moduleDependencies(dependencyWork: DependencyWork): Promise<readonly ModuleDependency[]> {
  const { work, env, secrets, signal } = dependencyWork;
  const text = await readFile(join(work, ".terraform", "modules", "modules.json"), "utf8").catch(() => "{}");
  const found = new Map<string, ModuleDependency>();
  for (const { source, version } of recordedModules(JSON.parse(text) as JsonValue)) {
    const kind = moduleSourceOf(source, version);
    const commit = kind.kind === "git" ? await gitCommitOf(kind, { work, env, signal }) : undefined;
    const [id] = /^[0-9a-f]{7,40}/u.exec(commit ?? "") ?? [];
    const shown = withoutSecrets(source, secrets);
    found.set(`${shown} ${version ?? ""}`, {
      source: shown,
      ...(version === undefined ? {} : { version }),
      ...(id === undefined ? {} : { commit: id }),
    });
  }
  return [...found.values()];
}

function recordedModules(manifest: JsonValue): { readonly source: string; readonly version: string | undefined }[] {
  const modules = isJsonObject(manifest) && Array.isArray(manifest["Modules"]) ? manifest["Modules"] : [];
  return modules.filter(isJsonObject).flatMap(({ Source: source, Version: version }) => {
    const isElsewhere = typeof source === "string" && source !== "" && !/^\.{0,2}\//u.test(source);
    return isElsewhere
      ? [{ source, version: typeof version === "string" && version !== "" ? version : undefined }]
      : [];
  });
}

function withoutSecrets(source: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== "")
    .reduce((text, secret) => text.replaceAll(secret, "[redacted]"), withoutCredentials(source));
}

/** What `init` has selected. */
export async function selectedProviders(work: string): Promise<readonly LockedProvider[]> {
  return lockedProviders(await readFile(join(work, lockFileName), "utf8").catch(() => ""));
}

/**
 * Hashes of the packages for one platform: a lock file does not say which hash is for which, so each platform gets a file
 * of its own, with the versions that `init` has selected.
 */
export async function packagesFor(
  work: string,
  selected: readonly LockedProvider[],
  lock: () => Promise<void>,
): Promise<readonly LockedProvider[]> {
  const file = join(work, lockFileName);
  const bare = selected.map(({ address, version }) => `provider "${address}" {\n  version = "${version}"\n}\n`);
  await writeFile(file, bare.join("\n"), { mode: 0o600 });
  try {
    await lock();
    return await selectedProviders(work);
  } finally {
    await rm(file, { force: true });
  }
}

export function withPackages(
  selected: readonly LockedProvider[],
  found: readonly (readonly [platform: string, readonly LockedProvider[]])[],
): readonly ProviderDependency[] {
  return selected.map(({ address, version }) => ({
    address,
    version,
    packages: found.flatMap(([platform, providers]) =>
      providers
        .filter((provider) => provider.address === address)
        .map(({ hashes, archiveHashes }) => ({ platform, hashes: [...hashes, ...archiveHashes] })),
    ),
  }));
}
