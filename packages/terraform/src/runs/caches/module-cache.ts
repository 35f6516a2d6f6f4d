import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Clock, type Logger } from "@rad/core";
import { makeFolder } from "@rad/artifacts/files";
import type { CacheKeys } from "./cache-keys.ts";
import { areCurrent, type FetchedModules, fetchedModules } from "./fetched-modules.ts";
import { gitCommitOf } from "./git-commit.ts";
import { moduleSourceOf } from "./module-source.ts";
import { placeFolder, sweepEntries, temporaryBeside, touch } from "./place.ts";

export interface ModuleUse {
  readonly source: string;
  readonly version?: string | undefined;
  /** Working folder of the run. */
  readonly work: string;
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}

/** In an entry: where its modules came from, and what the repositories were. */
const originsName = ".origins.json";

/**
 * Modules with all modules that they use, as `terraform get` leaves them. An entry is found by what the source is now and
 * by the right to read it: a run with other credentials, or without, downloads for itself. It is used as long as the
 * repositories of all its modules are what they were, and let this run read them, as do registries that have a token.
 */
export class ModuleCache {
  readonly #folder: string;
  readonly #keys: CacheKeys;
  readonly #clock: Clock;
  readonly #log: Logger;

  constructor(root: string, keys: CacheKeys, { clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.#folder = join(root, "modules");
    this.#keys = keys;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Brings the module into the working folder: from here, or with `get`.
   * @returns what keeps it here, while the run goes on with it; never rejects
   */
  async use(use: ModuleUse, get: () => Promise<void>): Promise<() => Promise<void>> {
    const name = await this.#nameOf(use);
    const entry = name === undefined ? undefined : join(this.#folder, name);
    if (entry !== undefined && (await this.#restore(entry, use))) {
      return () => Promise.resolve();
    }
    await get();
    return async () => {
      if (entry !== undefined) {
        await this.#keep(entry, use);
      }
    };
  }

  async sweep(before: number): Promise<void> {
    await sweepEntries(this.#folder, before);
  }

  async #nameOf(use: ModuleUse): Promise<string | undefined> {
    const { source, version, work, env } = use;
    const kind = moduleSourceOf(source, version);
    if (kind.kind === "other") {
      return undefined;
    }
    const resolved = kind.kind === "git" ? await gitCommitOf(kind, use) : version;
    return resolved === undefined
      ? undefined
      : await this.#keys.name("module with origins", source, resolved, await this.#keys.rightsOf("modules", work, env));
  }

  async #restore(entry: string, use: ModuleUse): Promise<boolean> {
    const kept = await readFile(join(entry, originsName), "utf8").catch(() => undefined);
    if (kept === undefined) {
      return false;
    }
    const modules = modulesOf(use.work);
    try {
      if (!(await areCurrent(JSON.parse(kept) as FetchedModules, use))) {
        await rm(entry, { recursive: true, force: true }); // so that what this run fetches takes its place
        return false;
      }
      await makeFolder(modules);
      await copyTree(entry, modules);
      await touch(entry, this.#clock.now());
      return true;
    } catch (error) {
      use.signal.throwIfAborted();
      this.#log.warn("a cached Terraform module could not be used", { error });
      await rm(modules, { recursive: true, force: true });
      return false;
    }
  }

  /** The run goes on without, whatever happens here. */
  async #keep(entry: string, use: ModuleUse): Promise<void> {
    const { work, secrets } = use;
    const modules = modulesOf(work);
    const own = temporaryBeside(entry);
    try {
      const manifest = await readFile(join(modules, "modules.json"), "utf8");
      if (secrets.some((secret) => secret !== "" && manifest.includes(secret))) {
        return;
      }
      const origins = await fetchedModules(modules, use);
      if (origins === undefined) {
        return;
      }
      await makeFolder(this.#folder);
      await copyTree(modules, own);
      await writeFile(join(own, originsName), JSON.stringify(origins), { mode: 0o600 });
      await placeFolder(own, entry);
    } catch (error) {
      if (!use.signal.aborted) {
        this.#log.warn("a Terraform module could not be cached", { error });
      }
    } finally {
      await rm(own, { recursive: true, force: true }).catch(() => {}); // it is swept later
    }
  }
}

function modulesOf(work: string): string {
  return join(work, ".terraform", "modules");
}

/** Without what git needs for itself, which may contain an address with credentials, and without what is ours. */
async function copyTree(from: string, to: string): Promise<void> {
  await cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => path === from || (basename(path) !== ".git" && path !== join(from, originsName)),
  });
}
