export { createCa, createLeaf } from "./certificates.ts";
export type { Certificate } from "./certificates.ts";
export { extensionLayer, moduleLayer, startRegistry } from "./oci-registry.ts";
export type { RegistryOptions, TestRegistry } from "./oci-registry.ts";
export { tarOf } from "./tar-of.ts";
export { startWebServer } from "./web-server.ts";
export type { WebServer } from "./web-server.ts";
export { zipOf } from "./zip-of.ts";
export type { ZipFileOptions } from "./zip-of.ts";
