import type { Answer } from "@rad/modules";

/** A page of a list. @param items JSON that is ready to send: most of it is copied from the store without parsing. */
export function listAnswer(items: readonly string[], nextLink: string | undefined): Answer {
  const next = nextLink === undefined ? "" : `,"nextLink":${JSON.stringify(nextLink)}`;
  return { status: 200, json: `{"value":[${items.join(",")}]${next}}` };
}
