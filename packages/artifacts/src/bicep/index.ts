export { createDiskHost } from "./disk-host.ts";
export type { DiskHost, DiskHostOptions } from "./disk-host.ts";
