export type { ArchiveEntry, ArchiveLimits } from "./archive-rules.ts";
export { readTarGzip } from "./tar-reader.ts";
export { writeTarGzip } from "./tar-writer.ts";
export { unpackArchive } from "./unpack.ts";
