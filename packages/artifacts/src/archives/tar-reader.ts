import { ArtifactError } from "../artifact-error.ts";
import { systemCode } from "../system-code.ts";
import { ArchiveMeter, archiveInvalid, checkFolder, entryRefused } from "./archive-rules.ts";
import type { ArchiveEntry, ArchiveLimits } from "./archive-rules.ts";

const blockSize = 512;
/** Longer names than any file system takes are not worth reading. */
const maxHeaderBytes = 64 * 1024;
const maxHeaderLines = 100;
const utf8 = new TextDecoder();

/**
 * The files of a gzipped tar archive, in order. Everything is read before anything is handed out, and an archive with
 * one bad entry gives none at all. It works at once, because a compiler asks for packages in the middle of its work.
 * @throws ArtifactError `ArchiveInvalid`, `ArchiveTooLarge`, `EntryRefused`
 */
export function readTarGzip(bytes: Uint8Array, limits: ArchiveLimits): readonly ArchiveEntry[] {
  const meter = new ArchiveMeter(limits, bytes.byteLength);
  return readTar(gunzip(bytes, meter.maxBytes), meter);
}

function gunzip(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  try {
    // Loaded only now: most files use no package, and every start would pay for it.
    const { gunzipSync } = process.getBuiltinModule("node:zlib");
    return gunzipSync(bytes, { maxOutputLength });
  } catch (error) {
    if (systemCode(error) === "ERR_BUFFER_TOO_LARGE") {
      throw new ArtifactError("ArchiveTooLarge", `The archive unpacks to more than ${maxOutputLength} bytes.`);
    }
    throw archiveInvalid("it is no gzip file, or not a whole one");
  }
}

function readTar(archive: Uint8Array, meter: ArchiveMeter): readonly ArchiveEntry[] {
  const entries: ArchiveEntry[] = [];
  let at = 0;
  let longName: string | undefined;
  while (at + blockSize <= archive.length) {
    const header = archive.subarray(at, at + blockSize);
    if (header.every((byte) => byte === 0)) {
      return entries;
    }
    const size = checkedSize(header);
    const start = at + blockSize;
    if (start + size > archive.length) {
      throw archiveInvalid("it is cut off");
    }
    const content = archive.subarray(start, start + size);
    const name = longName ?? headerPath(header);
    longName = undefined;
    meter.countEntry();
    switch (String.fromCharCode(header[156] ?? 0)) {
      case "x": // the extended header of the entry that follows
        longName = paxPath(smallHeader(content), name);
        break;
      case "L": // GNU's way of writing a long name
        longName = text(smallHeader(content));
        break;
      case "g": // applies to all that follows; Git writes its commit there
        if (paxPath(smallHeader(content), name) !== undefined) {
          throw entryRefused(name, "gives one name to all that follows");
        }
        break;
      case "0":
      case "\0":
        meter.countBytes(name, size, size);
        entries.push({ path: meter.claimFile(name), content });
        break;
      case "5":
        checkFolder(name);
        break;
      default:
        throw entryRefused(name, "is a link, a device or something else that is no file");
    }
    at = start + Math.ceil(size / blockSize) * blockSize;
  }
  throw archiveInvalid("it is cut off");
}

/** @throws ArtifactError when the header is not what it was when it was written, or its size is no size */
function checkedSize(header: Uint8Array): number {
  const expected = octal(header.subarray(148, 156));
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  const size = octal(header.subarray(124, 136));
  if (sum !== expected || size === undefined) {
    throw archiveInvalid("the header of an entry is not valid");
  }
  return size;
}

function headerPath(header: Uint8Array): string {
  const name = text(header.subarray(0, 100));
  const isUstar = text(header.subarray(257, 262)) === "ustar";
  const prefix = isUstar ? text(header.subarray(345, 500)) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

function octal(field: Uint8Array): number | undefined {
  const digits = text(field).trim();
  return /^[0-7]{1,11}$/u.test(digits) ? Number.parseInt(digits, 8) : undefined;
}

function smallHeader(content: Uint8Array): Uint8Array {
  if (content.length > maxHeaderBytes) {
    throw archiveInvalid("the header of an entry is too long");
  }
  return content;
}

/** Extended headers are lines of `<length> <name>=<value>`. What would change how entries are read is refused. */
function paxPath(content: Uint8Array, entry: string): string | undefined {
  let path: string | undefined;
  let lines = 0;
  for (let at = 0; at < content.length; lines += 1) {
    const length = /^([0-9]{1,5}) /u.exec(text(content.subarray(at, at + 6)))?.[1];
    const line = text(content.subarray(at, at + Number(length)));
    const [, name, value] = /^[0-9]+ ([^=]+)=(.*)\n$/su.exec(line) ?? [];
    if (
      length === undefined ||
      name === undefined ||
      at + Number(length) > content.length ||
      lines === maxHeaderLines
    ) {
      throw archiveInvalid("an extended header is not valid");
    }
    if (name === "size" || name === "linkpath" || name.startsWith("GNU.sparse.")) {
      throw entryRefused(entry, `has the extended header ${JSON.stringify(name)}`);
    }
    path = name === "path" ? value : path;
    at += Number(length);
  }
  return path;
}

function text(field: Uint8Array): string {
  const end = field.indexOf(0);
  return utf8.decode(end < 0 ? field : field.subarray(0, end));
}
