import type { ValidateRequest } from "@rad/resources";

/**
 * Whoever refers to something must be allowed to read it, or they could use what belongs to others. What the resource
 * refers to already needs no right: somebody who had it wrote that.
 * @param now ids that the request refers to
 * @param before ids that the stored resource refers to
 * @throws ApiError `Forbidden`
 */
export function requireReadOfNew(
  request: Pick<ValidateRequest, "requireRead">,
  now: readonly string[],
  before: readonly string[],
): void {
  const known = new Set(before.map((id) => id.toLowerCase()));
  for (const id of now) {
    if (!known.has(id.toLowerCase())) {
      request.requireRead(id);
    }
  }
}
