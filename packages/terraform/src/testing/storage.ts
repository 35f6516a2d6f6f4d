import { builtS3Server } from "./s3-storage.ts";
import { installedAzurite } from "./tools/azurite.ts";

export { startBlobStorage } from "./blob-storage.ts";
export type { BlobStorage } from "./blob-storage.ts";
export { startS3Storage } from "./s3-storage.ts";
export type { S3Storage } from "./s3-storage.ts";

/** Builds and installs what is behind them, so that no test waits for it. */
export async function makeStorageServers(): Promise<void> {
  await builtS3Server();
  await installedAzurite();
}
