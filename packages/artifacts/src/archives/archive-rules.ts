import { ArtifactError } from "../artifact-error.ts";

export interface ArchiveLimits {
  /** Folders that come with their files count too: a name can bring hundreds. */
  readonly maxEntries: number;
  readonly maxEntryBytes: number;
  readonly maxTotalBytes: number;
  /** How many times larger than the archive its content may be, from a megabyte on: little grows a lot quickly. */
  readonly maxRatio: number;
}

const ratioFreeBytes = 1 << 20;
/** What file systems take for one name, and more than anybody uses for a path. */
const maxSegmentBytes = 255;
const maxPathBytes = 1024;

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
    const file = foldCase(path);
    if (this.#files.has(file) || this.#folders.has(file)) {
      throw nameTaken(name);
    }
    this.#files.add(file);
    // Above a folder that is known there are only known ones.
    for (let folder = parentOf(file); folder !== "" && !this.#folders.has(folder); folder = parentOf(folder)) {
      if (this.#files.has(folder)) {
        throw nameTaken(name);
      }
      this.countEntry();
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
  if (isUnsafe || Buffer.byteLength(path) > maxPathBytes || !path.split("/").every(isSafeSegment)) {
    throw entryRefused(name, "has a name that is not a plain relative path");
  }
  return path;
}

function isSafeSegment(segment: string): boolean {
  return !["", ".", ".."].includes(segment) && Buffer.byteLength(segment) <= maxSegmentBytes;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

function nameTaken(name: string): ArtifactError {
  return entryRefused(name, "has a name that another entry has already");
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
