import { createHmac, randomBytes } from "node:crypto";
import { link, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "@rad/artifacts/files";

/** Variables that decide what a run may download, and from where. Providers never come from repositories. */
const rightsVariables = {
  modules: /^(?:TF_TOKEN_.*|GIT_.*|RAD_GIT_.*|SSH_.*|NETRC|SSL_CERT_.*|(?:https?|no|all)_proxy)$/iu,
  providers: /^(?:TF_TOKEN_.*|NETRC|SSL_CERT_.*|(?:https?|no|all)_proxy)$/iu,
};

/** Names of cache entries. They depend on credentials, so they are made with a key that never leaves the machine. */
export class CacheKeys {
  readonly #root: string;
  #key: Promise<Buffer> | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  async name(...parts: readonly string[]): Promise<string> {
    this.#key ??= this.#readKey().catch((error: unknown) => {
      this.#key = undefined; // the next run may find room on the disk
      throw error;
    });
    return createHmac("sha256", await this.#key)
      .update(JSON.stringify(parts))
      .digest("hex")
      .slice(0, 40);
  }

  /** What a run is allowed to download: its CLI configuration, its credentials, and files with such in its folder. */
  async rightsOf(
    what: keyof typeof rightsVariables,
    work: string,
    env: Readonly<Record<string, string>>,
  ): Promise<string> {
    const variables = Object.entries(env)
      .filter(([name]) => rightsVariables[what].test(name))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const files: string[] = [];
    for (const entry of (await readdir(work, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.isFile() && entry.name.startsWith(".") && entry.name !== ".terraform.lock.hcl") {
        files.push(entry.name, (await readFile(join(work, entry.name), "utf8")).replaceAll(work, ""));
      }
    }
    return await this.name(...variables.flat(), ...files);
  }

  /** The first process to come makes it; a link never replaces one that is there. */
  async #readKey(): Promise<Buffer> {
    const file = join(this.#root, "key");
    await makeFolder(this.#root);
    const found = await readFile(file).catch(() => undefined);
    if (found !== undefined) {
      return found;
    }
    const own = `${file}.${randomBytes(6).toString("hex")}`;
    await writeFile(own, randomBytes(32), { mode: 0o600 });
    await link(own, file).catch(() => {});
    await rm(own, { force: true });
    return await readFile(file);
  }
}
