import { ApiError } from "@rad/core";

/**
 * Refuses a request for everything that is wrong with it.
 * @param heading of a message with several problems: `multiple errors were found:`
 * @throws ApiError unless there is no problem.
 */
export function refuseFor(problems: readonly string[], heading: string, always: "heading" | "several"): void {
  const [first] = problems;
  if (first === undefined) {
    return;
  }
  const isPlain = problems.length === 1 && always === "several";
  throw new ApiError("BadRequest", isPlain ? first : [heading, ...problems].join("\n\t"));
}
