import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, readdir, readFile, readlink, realpath, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock, Logger } from "@rad/core";
import { writeFileAtomically } from "@rad/artifacts/files";
import type { Product } from "../../product.ts";
import type { CacheKeys } from "./cache-keys.ts";
import { type LockedProvider, lockedProviders, lockFileName as lockName } from "./lock-file.ts";
import { placeFolder, placeLink, sweepEntries, touch } from "./place.ts";
import { requirementsOf } from "./requirements.ts";

export interface ProviderUse {
  readonly product: Product;
  /** Working folder of the run, with its modules. */
  readonly work: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** With what `init` finds providers that are here. */
export interface ProviderOffer {
  /** All that it needs: nothing else is asked. */
  readonly pluginFolder?: string;
  /** What it may need. */
  readonly env?: Readonly<Record<string, string>>;
}

/** After so long Terraform looks for newer versions again. */
const selectionMs = 24 * 3_600_000;

/**
 * Unpacked providers, read-only, shared by all runs through links:
 *
 * - `content/<hash>`: a package, named after the hashes that Terraform found for it
 * - `packages/<rights>/<address>/<version>/<platform>`: a link to it for runs that may download it from the same place
 * - `selections/<rights>/<requirements>.hcl`: the lock file of a run that required the same
 *
 * With a selection `init` asks nobody. Otherwise it asks for versions, and downloads what is not in `packages`. Nothing
 * is shared that a run writes to: it gets links, and what it downloads is moved here when `init` has succeeded.
 */
export class ProviderCache {
  readonly #root: string;
  readonly #keys: CacheKeys;
  readonly #clock: Clock;
  readonly #log: Logger;

  constructor(root: string, keys: CacheKeys, { clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.#root = join(root, "providers");
    this.#keys = keys;
    this.#clock = clock;
    this.#log = log;
  }

  /** Runs `init` with providers that are here already, and keeps those that it downloads. */
  async use(use: ProviderUse, init: (offer: ProviderOffer) => Promise<void>): Promise<void> {
    const { work, signal } = use;
    if (hasOwnCache(use)) {
      await init({});
      return;
    }
    const rights = await this.#rightsOf(use);
    const selection = await this.#selectionOf(rights, work);
    const pluginFolder = pluginFolderOf(work);
    if (await this.#select(selection, rights, work, pluginFolder)) {
      try {
        await init({ pluginFolder });
        return;
      } catch (error) {
        signal.throwIfAborted();
        this.#log.info("terraform init is tried again without cached providers", { error });
        await this.#reset(selection, work, pluginFolder);
      }
    }
    await init({ env: await this.#offer(rights, pluginFolder) });
    await this.#orWarn(async () => {
      await this.#keepPackages(rights, work);
      await this.#keepSelection(selection, work);
    });
  }

  /** Runs an `init` that fetches the modules, too: what they require is not known before. */
  async useWithModules(use: ProviderUse, init: (offer: ProviderOffer) => Promise<void>): Promise<void> {
    await init(hasOwnCache(use) ? {} : { env: await this.#offer(await this.#rightsOf(use), pluginFolderOf(use.work)) });
  }

  /** Moves here what such an `init` has downloaded, which nothing may use meanwhile. Never rejects. */
  async keepPackages(use: ProviderUse): Promise<void> {
    if (!hasOwnCache(use)) {
      await this.#orWarn(async () => this.#keepPackages(await this.#rightsOf(use), use.work));
    }
  }

  /** Keeps what such an `init` chose, for runs with the configuration that is complete now. Never rejects. */
  async keepSelection(use: ProviderUse): Promise<void> {
    if (!hasOwnCache(use)) {
      await this.#orWarn(async () => {
        await this.#keepSelection(await this.#selectionOf(await this.#rightsOf(use), use.work), use.work);
      });
    }
  }

  async sweep(before: number): Promise<void> {
    await sweepEntries(join(this.#root, "content"), before);
    for (const rights of await readdir(join(this.#root, "selections")).catch(() => [])) {
      await sweepEntries(join(this.#root, "selections", rights), before);
    }
    for (const link of await linksBelow(join(this.#root, "packages"))) {
      if ((await stat(link).catch(() => undefined)) === undefined) {
        await rm(link, { force: true });
      }
    }
  }

  async #rightsOf({ product, work, env }: ProviderUse): Promise<string> {
    return await this.#keys.name("providers", product, await this.#keys.rightsOf("providers", work, env));
  }

  async #selectionOf(rights: string, work: string): Promise<string> {
    return join(this.#root, "selections", rights, `${await requirementsOf(work)}.hcl`);
  }

  /** Gives the run what `init` chose for the same requirements, and nothing else. */
  async #select(selection: string, rights: string, work: string, pluginFolder: string): Promise<boolean> {
    const found = await stat(selection).catch(() => undefined);
    if (found === undefined || this.#clock.now().getTime() - found.mtimeMs > selectionMs) {
      return false;
    }
    const text = await readFile(selection, "utf8");
    const links: [string, string][] = [];
    for (const provider of lockedProviders(text)) {
      const content = await realpath(this.#packagePath(rights, provider)).catch(() => undefined);
      if (content === undefined) {
        return false;
      }
      links.push([content, join(pluginFolder, placeOf(provider))]);
    }
    for (const [content, path] of links) {
      await placeLink(content, path);
      await touch(content, this.#clock.now());
    }
    await writeFile(join(work, lockName), text, { mode: 0o600 });
    return true;
  }

  /** What was selected does not do any more, or something else is wrong: Terraform says what when it is on its own. */
  async #reset(selection: string, work: string, pluginFolder: string): Promise<void> {
    await rm(selection, { force: true });
    for (const path of [
      pluginFolder,
      providersOf(work),
      join(work, lockName),
      join(work, ".terraform", "plugin_path"),
    ]) {
      await rm(path, { recursive: true, force: true });
    }
  }

  /** A cache folder of the run's own, with links to packages that it may have. */
  async #offer(rights: string, own: string): Promise<Readonly<Record<string, string>>> {
    await mkdir(own, { recursive: true, mode: 0o700 });
    const packages = join(this.#root, "packages", rights);
    for (const link of await linksBelow(packages)) {
      const content = await realpath(link).catch(() => undefined);
      if (content !== undefined) {
        await placeLink(content, join(own, link.slice(packages.length + 1)));
      }
    }
    return { TF_PLUGIN_CACHE_DIR: own, TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE: "1" };
  }

  async #keepPackages(rights: string, work: string): Promise<void> {
    for (const provider of lockedProviders(await lockOf(work))) {
      await this.#keepPackage(rights, provider, work);
    }
  }

  async #keepSelection(selection: string, work: string): Promise<void> {
    const text = await lockOf(work);
    if (lockedProviders(text).length > 0) {
      await mkdir(dirname(selection), { recursive: true, mode: 0o700 });
      await writeFileAtomically(selection, text, { mode: 0o600 });
    }
  }

  /** The run goes on without, whatever happens here. */
  async #orWarn(keep: () => Promise<void>): Promise<void> {
    try {
      await keep();
    } catch (error) {
      this.#log.warn("Terraform providers could not be cached", { error });
    }
  }

  async #keepPackage(rights: string, provider: LockedProvider, work: string): Promise<void> {
    const installed = join(providersOf(work), placeOf(provider));
    const folder = await downloadedFolder(installed, pluginFolderOf(work));
    if (folder === undefined || provider.hashes.length === 0) {
      return;
    }
    const content = join(this.#root, "content", contentName(provider));
    await makeReadOnly(folder);
    if (await placeFolder(folder, content)) {
      await chmod(content, 0o555);
    } else {
      await rm(folder, { recursive: true, force: true });
    }
    await placeLink(content, folder);
    await placeLink(content, this.#packagePath(rights, provider));
  }

  #packagePath(rights: string, provider: LockedProvider): string {
    return join(this.#root, "packages", rights, placeOf(provider));
  }
}

/** Somebody has made arrangements of their own. */
function hasOwnCache({ env }: ProviderUse): boolean {
  return Object.hasOwn(env, "TF_PLUGIN_CACHE_DIR");
}

async function lockOf(work: string): Promise<string> {
  return await readFile(join(work, lockName), "utf8").catch(() => "");
}

function pluginFolderOf(work: string): string {
  return join(dirname(work), "plugins");
}

function providersOf(work: string): string {
  return join(work, ".terraform", "providers");
}

/** As Terraform lays packages out, in a working folder and in caches. */
function placeOf({ address, version }: LockedProvider): string {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;
  return join(...address.split("/"), version, platform);
}

function contentName(provider: LockedProvider): string {
  const identity = [placeOf(provider), ...[...provider.hashes].sort()];
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 40);
}

/** The folder that this run has downloaded a package to; `undefined` when it has it from elsewhere. */
async function downloadedFolder(installed: string, own: string): Promise<string | undefined> {
  const found = await lstat(installed).catch(() => undefined);
  if (found === undefined || found.isDirectory()) {
    return found === undefined ? undefined : installed;
  }
  const target = join(dirname(installed), await readlink(installed));
  const place = target.startsWith(own) ? target : await readlink(installed);
  const isOwn = place.startsWith(`${own}/`) && (await lstat(place).catch(() => undefined))?.isDirectory() === true;
  return isOwn ? place : undefined;
}

async function makeReadOnly(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name);
      await chmod(path, ((await stat(path)).mode & 0o111) === 0 ? 0o444 : 0o555);
    }
  }
}

/** Links at the depth of packages: host, namespace, type, version, platform. */
async function linksBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isSymbolicLink() && !entry.name.startsWith("."))
    .map((entry) => join(entry.parentPath, entry.name));
}
