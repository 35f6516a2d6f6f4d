import { createHash } from "node:crypto";

/** SHA-256 of the icon's text as hex: the last part of its address. */
export function iconHash(svg: string): string {
  return createHash("sha256").update(svg, "utf8").digest("hex");
}
