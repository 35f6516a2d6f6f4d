/** A file inside of a tar archive. */
export interface TarEntry {
  readonly path: string;
  readonly content: Uint8Array;
}

const blockSize = 512;

/**
 * The regular files of an unpacked tar archive, in order. Links, devices and folders are left out, since nothing here
 * is ever written to a disk under the names in it. Stops at the end mark, or where the archive is cut off.
 */
export function* readTar(archive: Uint8Array): Iterable<TarEntry> {
  let at = 0;
  let longName: string | undefined;
  while (at + blockSize <= archive.length) {
    const header = archive.subarray(at, at + blockSize);
    if (header.every((byte) => byte === 0)) {
      return;
    }
    const size = octal(header.subarray(124, 136));
    const start = at + blockSize;
    if (size === undefined || start + size > archive.length) {
      return;
    }
    const content = archive.subarray(start, start + size);
    const kind = String.fromCharCode(header[156] ?? 0);
    switch (kind) {
      case "x": // the extended header of the entry that follows
        longName = paxPath(content) ?? longName;
        break;
      case "L": // GNU's way of writing a long name
        longName = text(content);
        break;
      case "0":
      case "\0":
        yield { path: withoutDot(longName ?? headerPath(header)), content };
        longName = undefined;
        break;
      default:
        longName = undefined;
    }
    at = start + Math.ceil(size / blockSize) * blockSize;
  }
}

function headerPath(header: Uint8Array): string {
  const name = text(header.subarray(0, 100));
  const isUstar = text(header.subarray(257, 262)) === "ustar";
  const prefix = isUstar ? text(header.subarray(345, 500)) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

function withoutDot(path: string): string {
  return path.replace(/^(?:\.?\/)+/u, "");
}

function octal(field: Uint8Array): number | undefined {
  const digits = text(field).trim();
  return /^[0-7]{1,11}$/u.test(digits) ? Number.parseInt(digits, 8) : undefined;
}

/** Extended headers are lines of `<length> <name>=<value>`. */
function paxPath(content: Uint8Array): string | undefined {
  for (const line of new TextDecoder().decode(content).split("\n")) {
    const value = /^[0-9]+ path=(.*)$/su.exec(line)?.[1];
    if (value !== undefined) {
      return value;
    }
  }
  return undefined;
}

function text(field: Uint8Array): string {
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
}
