import type { AnswerHeaders } from "./http-request.ts";

/** RFC 7234: code, agent, quoted text, and perhaps a quoted date. */
const warning = /(?<code>\d{3}) [^\s"]+ "(?<text>(?:[^"\\]|\\.)*)"(?: "[^"]*")?/g;
/** "Miscellaneous persistent warning"; the other codes are about caches. */
const persistent = "299";

/** The texts of the `Warning` headers of a response, each once. */
export function readWarnings(headers: Pick<AnswerHeaders, "get">): readonly string[] {
  const texts = Array.from((headers.get("warning") ?? "").matchAll(warning), ({ groups }) =>
    groups?.["code"] === persistent ? (groups["text"] ?? "").replaceAll(/\\(.)/g, "$1") : "",
  );
  return Array.from(new Set(texts.filter((text) => text !== "")));
}
