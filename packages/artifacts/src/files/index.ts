export { removeLeftovers, syncFolder, writeFileAtomically } from "./atomic-file.ts";
export type { WriteFileOptions } from "./atomic-file.ts";
export { toCompilerPath } from "./compiler-path.ts";
export { isLocked, lockFile } from "./file-lock.ts";
export type { LockOptions } from "./file-lock.ts";
export { makeFolder } from "./make-folder.ts";
