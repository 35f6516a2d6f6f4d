import { sep } from "node:path";

/** A path of this platform as the compiler writes it. */
export function toCompilerPath(path: string): string {
  return sep === "\\" ? path.replaceAll("\\", "/") : path;
}
