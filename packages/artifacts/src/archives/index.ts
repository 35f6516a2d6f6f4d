export type { ArchiveEntry, ArchiveLimits } from "./archive-rules.ts";
export { readTarGzip } from "./tar-reader.ts";
export { unpackArchive } from "./unpack.ts";
