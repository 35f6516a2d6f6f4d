import { Buffer } from "node:buffer";
import { constants, open } from "node:fs/promises";

const maxAuthorityBytes = 4 << 20;

/**
 * The certificates in the file that `SSL_CERT_FILE` names.
 *
 * Whoever writes the environment names the file, so it may be anything: a pipe that nobody writes to would keep a thread of
 * the server, a device its memory.
 * @throws Error that says why it cannot be read
 */
export async function readAuthorities(file: string): Promise<string> {
  try {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = await handle.stat();
    if (!found.isFile() || found.size > maxAuthorityBytes) {
      throw new Error(`it is not a file of at most ${maxAuthorityBytes >> 20} MiB`);
    }
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(found.size), position: 0 });
    return buffer.toString("utf8", 0, bytesRead);
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : (error as Error).message;
    throw new Error(`SSL_CERT_FILE names '${file}', which the control plane cannot read (${why}).`, { cause: error });
  }
}
