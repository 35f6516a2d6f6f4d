import { ArtifactError } from "../artifact-error.ts";

export interface ArchiveLimits {
  readonly maxEntries: number;
  readonly maxEntryBytes: number;
  readonly maxTotalBytes: number;
  /** How many times larger than the archive its content may be, from a megabyte on: little grows a lot quickly. */
  readonly maxRatio: number;
}

const ratioFreeBytes = 1 << 20;

/** A file inside of an archive. */
export interface ArchiveEntry {
  /** Relative, with `/` between the segments and neither `.` nor `..` among them. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** Holds what an archive says about itself, and what really comes out of it, against the limits. */
export class ArchiveMeter {
  /** What may come out of the archive in all. */
  readonly maxBytes: number;
  readonly #limits: ArchiveLimits;
  /** Every path and every folder on the way to one, in the form in which some disks do not tell them apart. */
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  #entries = 0;
  #bytes = 0;

  constructor(limits: ArchiveLimits, archiveBytes: number) {
    this.#limits = limits;
    this.maxBytes = Math.min(limits.maxTotalBytes, Math.max(archiveBytes * limits.maxRatio, ratioFreeBytes));
  }

  /** Counts an entry of any kind. @throws ArtifactError `ArchiveTooLarge` */
  countEntry(): void {
    this.#entries += 1;
    if (this.#entries > this.#limits.maxEntries) {
      throw new ArtifactError("ArchiveTooLarge", `The archive has more than ${this.#limits.maxEntries} entries.`);
    }
  }

  /** Counts bytes before they are kept; a file of `fileBytes` has come that far. @throws ArtifactError `ArchiveTooLarge` */
  countBytes(name: string, bytes: number, fileBytes: number): void {
    this.#bytes += bytes;
    if (fileBytes > this.#limits.maxEntryBytes || this.#bytes > this.maxBytes) {
      const limit = fileBytes > this.#limits.maxEntryBytes ? this.#limits.maxEntryBytes : this.maxBytes;
      throw new ArtifactError(
        "ArchiveTooLarge",
        `The archive's entry ${shown(name)} exceeds the limit of ${limit} bytes.`,
      );
    }
  }

  /** The path of a file, which no other entry may have, be below of, or lie on the way to. @throws ArtifactError */
  claimFile(name: string): string {
    const path = safePath(name);
    const segments = foldCase(path).split("/");
    const folders = segments.slice(1).map((_, index) => segments.slice(0, index + 1).join("/"));
    const file = segments.join("/");
    if (this.#files.has(file) || this.#folders.has(file) || folders.some((folder) => this.#files.has(folder))) {
      throw entryRefused(name, "has a name that another entry has already");
    }
    this.#files.add(file);
    for (const folder of folders) {
      this.#folders.add(folder);
    }
    return path;
  }
}

/** Folders come with their files; only their names are looked at. @throws ArtifactError `EntryRefused` */
export function checkFolder(name: string): void {
  if (!/^(?:\.\/+)+$|^\.$/u.test(name)) {
    safePath(name);
  }
}

/** @throws ArtifactError `EntryRefused` for a name that could lead anywhere but below the folder it is unpacked to */
function safePath(name: string): string {
  const path = name.replace(/^(?:\.\/+)+/u, "").replace(/\/+$/u, "");
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const isUnsafe = path === "" || name.startsWith("/") || /[\\\u0000-\u001f\u007f]|^[a-z]:/iu.test(path);
  if (isUnsafe || path.split("/").some((segment) => ["", ".", ".."].includes(segment) || segment.length > 255)) {
    throw entryRefused(name, "has a name that is not a plain relative path");
  }
  return path;
}

export function entryRefused(name: string, why: string): ArtifactError {
  return new ArtifactError("EntryRefused", `The archive's entry ${shown(name)} ${why}.`);
}

export function archiveInvalid(why: string): ArtifactError {
  return new ArtifactError("ArchiveInvalid", `The archive cannot be read: ${why}.`);
}

function shown(name: string): string {
  return JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name);
}

/** Disks of other systems tell neither letter cases apart nor the ways to write an accent. */
function foldCase(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
