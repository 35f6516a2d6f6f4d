import { stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import type { Readable } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import { openPromise } from "yauzl";
import type { Entry, ZipFile } from "yauzl";
import { ArtifactError } from "../artifact-error.ts";
import { ArchiveMeter, archiveInvalid, checkFolder, entryRefused } from "./archive-rules.ts";
import type { ArchiveLimits } from "./archive-rules.ts";

/** The content has to be read to its end before the next file comes. */
export type VisitFile = (path: string, content: AsyncIterable<Buffer>) => Promise<void>;

const inflatedBytes = 256 << 10;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the files of a zip archive one after the other. The directory at its end is what counts; entries that it does not
 * name are not there.
 * @throws ArtifactError `ArchiveInvalid`, `ArchiveTooLarge`, `EntryRefused`; what was visited before it is not to be used
 */
export async function readZip(archive: string, limits: ArchiveLimits, visit: VisitFile): Promise<void> {
  const meter = new ArchiveMeter(limits, (await stat(archive)).size);
  // Names are decoded and checked here, so that what is refused can be told by its name.
  const options = { autoClose: false, lazyEntries: true, decodeStrings: false, validateEntrySizes: true };
  const zip = await openPromise(archive, options).catch(invalid);
  try {
    await readEntries(zip, meter, visit);
  } finally {
    zip.close();
  }
}

async function readEntries(zip: ZipFile, meter: ArchiveMeter, visit: VisitFile): Promise<void> {
  const entries = zip.eachEntry();
  for (;;) {
    const { value: entry, done } = await entries.next().catch(invalid);
    if (done === true) {
      return;
    }
    meter.countEntry();
    const name = nameOf(entry);
    if (name.endsWith("/")) {
      checkFolder(name);
      continue;
    }
    checkKind(entry, name);
    const path = meter.claimFile(name);
    meter.countBytes(name, 0, entry.uncompressedSize);
    await visit(path, contentOf(zip, entry, name, meter));
  }
}

function nameOf({ fileNameRaw }: Entry): string {
  try {
    return utf8.decode(fileNameRaw);
  } catch {
    throw entryRefused(fileNameRaw.toString("latin1"), "has a name that is not UTF-8");
  }
}

/** Unix writers leave the kind of a file in the upper half of its attributes. */
function checkKind(entry: Entry, name: string): void {
  const kind = (entry.externalFileAttributes >>> 16) & 0o170000;
  if (kind !== 0 && kind !== 0o100000) {
    throw entryRefused(name, "is a link, a device or something else that is no file");
  }
  if (!entry.canDecodeFileData()) {
    throw entryRefused(name, "is encrypted or compressed in a way that cannot be read");
  }
}

async function* contentOf(zip: ZipFile, entry: Entry, name: string, meter: ArchiveMeter): AsyncIterable<Buffer> {
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false }).catch(invalid);
  let bytes = 0;
  let checksum = 0;
  try {
    for await (const chunk of isDeflated(entry) ? inflated(packed) : (packed as AsyncIterable<Buffer>)) {
      bytes += chunk.byteLength;
      meter.countBytes(name, chunk.byteLength, bytes);
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof ArtifactError ? error : notAsAnnounced(name);
  }
  if (bytes !== entry.uncompressedSize || checksum !== entry.crc32) {
    throw notAsAnnounced(name);
  }
}

function isDeflated({ compressionMethod }: Entry): boolean {
  return compressionMethod === 8;
}

/** The reader's own way gives 16 KiB at a time, and each piece is a trip to another thread. */
function inflated(packed: Readable): AsyncIterable<Buffer> {
  return pipeline(packed, createInflateRaw({ chunkSize: inflatedBytes }), () => {}) as AsyncIterable<Buffer>;
}

function notAsAnnounced(name: string): ArtifactError {
  return archiveInvalid(`${JSON.stringify(name)} is not what its header says`);
}

/** The reader's own messages quote the archive, so they stay behind. */
function invalid(): never {
  throw archiveInvalid("it is no zip archive, or not a whole one");
}
