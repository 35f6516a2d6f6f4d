import { ArtifactError } from "../artifact-error.ts";

const blockBytes = 512;
const maxNameBytes = 100;
const maxPrefixBytes = 155;

/** A gzipped tar archive of these files by path. Equal files give equal bytes: it has no times and no owners. */
export function writeTarGzip(files: ReadonlyMap<string, string>): Uint8Array {
  const blocks = Array.from(files, ([path, text]) => entry(path, Buffer.from(text))).flat();
  const { gzipSync } = process.getBuiltinModule("node:zlib"); // few archives are written
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]));
}

/** Header, content and padding, in the `ustar` form that every reader knows. */
function entry(path: string, content: Buffer): Buffer[] {
  const { prefix, name } = splitPath(path);
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0);
  header.write(octal(0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(content.length, 12), 124);
  header.write(octal(0, 12), 136);
  header.write("0", 156);
  header.write("ustar\u000000", 257);
  header.write(prefix, 345);
  header.fill(" ", 148, 156); // the checksum counts as blanks while it is computed
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return [header, content, Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes)];
}

/** Long paths are cut in two at a slash. */
function splitPath(path: string): { readonly prefix: string; readonly name: string } {
  if (Buffer.byteLength(path) <= maxNameBytes) {
    return { prefix: "", name: path };
  }
  for (let slash = path.indexOf("/"); slash > 0; slash = path.indexOf("/", slash + 1)) {
    const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)];
    if (Buffer.byteLength(prefix) <= maxPrefixBytes && Buffer.byteLength(name) <= maxNameBytes && name !== "") {
      return { prefix, name };
    }
  }
  throw new ArtifactError("ArchiveInvalid", `The path "${path}" is too long for a tar archive.`);
}

function octal(value: number, length: number): string {
  return `${value.toString(8).padStart(length - 1, "0")}\0`;
}
