import { crc32, deflateRawSync } from "node:zlib";

export interface ZipFileOptions {
  /** What the headers say, where it is not the truth. */
  readonly size?: number;
  readonly crc?: number;
  /** As Unix writes it: kind and permissions. */
  readonly mode?: number;
  readonly flags?: number;
  readonly method?: number;
}

/** A zip archive with these files, in order; one name may come twice. */
export function zipOf(
  files: readonly (readonly [name: string, content: string | Buffer, more?: ZipFileOptions])[],
): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content, more = {}] of files) {
    const raw = Buffer.from(content);
    const packed = deflateRawSync(raw);
    const nameBytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(more.flags ?? 0x800, 2);
    common.writeUInt16LE(more.method ?? 8, 4);
    common.writeUInt32LE(more.crc ?? crc32(raw), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(more.size ?? raw.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), common, nameBytes, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((more.mode ?? 0o100644) << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\u0001\u0002"), Buffer.from([20, 3]), common, rest, nameBytes);
    locals.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, entries, Buffer.from("PK\u0005\u0006"), end]);
}
