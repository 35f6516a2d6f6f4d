export const lockFileName = ".terraform.lock.hcl";

/** A provider as a dependency lock file has it. */
export interface LockedProvider {
  /** `registry.terraform.io/hashicorp/random` */
  readonly address: string;
  readonly version: string;
  /** Of the content as it is unpacked; Terraform has computed them itself. */
  readonly hashes: readonly string[];
  /** Of archives, as the registry or the mirror tells them. */
  readonly archiveHashes: readonly string[];
}

/** Reads `.terraform.lock.hcl`, which Terraform writes in one form only. */
export function lockedProviders(text: string): readonly LockedProvider[] {
  const providers: LockedProvider[] = [];
  for (const [, address = "", block = ""] of text.matchAll(/^provider "([^"]+)" \{\n([\s\S]*?)^\}/gmu)) {
    const version = /^\s*version\s*=\s*"([^"]+)"/mu.exec(block)?.[1];
    const hashes = [...block.matchAll(/"(h1:[^"]+)"/gu)].map(([, hash = ""]) => hash);
    if (version !== undefined && /^[\w.:-]+\/[\w.-]+\/[\w.-]+$/u.test(address) && /^[\w.+-]+$/u.test(version)) {
      const archiveHashes = [...block.matchAll(/"(zh:[^"]+)"/gu)].map(([, hash = ""]) => hash);
      providers.push({ address, version, hashes, archiveHashes });
    }
  }
  return providers;
}
