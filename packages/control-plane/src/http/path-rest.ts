import { ApiError } from "@rad/core";

/**
 * The segments of a path after the first `depth`, decoded. What is handed on is what was checked, so that no segment
 * leads code that joins or forwards them to another place.
 * @param rawPath below the base path, as it came; known to be properly encoded.
 * @throws ApiError `BadRequest` for segments that are empty, `.` or `..`, or contain a backslash.
 */
export function pathRest(rawPath: string, depth: number): string[] {
  const path = rawPath.endsWith("/") ? rawPath.slice(0, -1) : rawPath;
  const rest = path
    .split("/")
    .slice(depth + 1)
    .map(decodeURIComponent);
  if (rest.some((segment) => segment === "" || segment === "." || segment === ".." || segment.includes("\\"))) {
    throw new ApiError(
      "BadRequest",
      "The URL's path has a segment that is empty, '.' or '..', or contains a backslash.",
    );
  }
  return rest;
}
