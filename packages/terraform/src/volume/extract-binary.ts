import { open, rename } from "node:fs/promises";
import { HashedFile } from "@rad/artifacts/download";
import type { DownloadedFile } from "@rad/artifacts/download";
import { InstallError } from "../install-error.ts";
import { productNames } from "../product.ts";
import type { Product } from "../product.ts";
import { entryOf } from "../release/release-layout.ts";
import { fileKind, headBytes } from "./executable-kind.ts";

export interface ExtractRequest {
  readonly product: Product;
  readonly archive: string;
  /** Digest and size of the archive, which is the binary itself if it is no zip. */
  readonly downloaded: DownloadedFile;
  readonly target: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** A release has the binary, a license and a few texts. */
const maxEntries = 100;
/** Binaries of Go shrink to a third. */
const maxRatio = 100;
const binaryMode = 0o755;

/**
 * Takes the binary out of a zip archive, or takes a plain binary as it is: the content tells. The archive may be gone
 * afterwards. @throws ArtifactError, InstallError `ArchiveRefused`, `WrongProduct`
 */
export async function extractBinary(request: ExtractRequest): Promise<DownloadedFile> {
  const kind = await kindOf(request.archive);
  switch (kind.kind) {
    case "zip":
      return await unzip(request);
    case "program":
    case "script":
      await rename(request.archive, request.target);
      await makeExecutable(request.target);
      return request.downloaded;
    case "other":
      throw new InstallError(
        "ArchiveRefused",
        `The download is neither a zip archive nor a program: ${kind.what}. Check the URL.`,
      );
    default:
      return kind satisfies never;
  }
}

async function kindOf(path: string): Promise<ReturnType<typeof fileKind>> {
  await using file = await open(path, "r");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  return fileKind(buffer.subarray(0, bytesRead));
}

async function unzip({ product, archive, target, maxBytes, signal }: ExtractRequest): Promise<DownloadedFile> {
  const { readZip } = await import("@rad/artifacts/zip");
  const limits = { maxEntries, maxEntryBytes: maxBytes, maxTotalBytes: maxBytes, maxRatio };
  const names = new Set<string>();
  let found: DownloadedFile | undefined;
  await readZip(archive, limits, async (path, content) => {
    names.add(path);
    if (path === entryOf(product)) {
      found = await writeBinary(target, content, signal);
    }
  });
  if (found === undefined) {
    throw entryMissing(product, names);
  }
  return found;
}

/** Writes and hashes a binary as it comes, and makes it durable. */
export async function writeBinary(
  target: string,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<DownloadedFile> {
  await using handle = await open(target, "wx", binaryMode);
  const file = new HashedFile(handle);
  try {
    for await (const chunk of content) {
      signal.throwIfAborted();
      await file.add(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    }
    await file.flush();
  } finally {
    await file.settle(); // nothing may write to a handle that is closed
  }
  await handle.chmod(binaryMode); // the umask may have taken bits away
  await handle.sync();
  return { bytes: file.bytes, sha256: file.digest() };
}

async function makeExecutable(path: string): Promise<void> {
  await using handle = await open(path, "r+");
  await handle.chmod(binaryMode);
  await handle.sync();
}

function entryMissing(product: Product, names: ReadonlySet<string>): InstallError {
  const other: Product = product === "terraform" ? "opentofu" : "terraform";
  const entry = entryOf(product);
  return names.has(entryOf(other))
    ? new InstallError(
        "WrongProduct",
        `The archive holds ${productNames[other]} ("${entryOf(other)}"), not ${productNames[product]} ("${entry}").`,
      )
    : new InstallError("ArchiveRefused", `The archive has no entry "${entry}".`);
}
