import type { Client, RawRequest } from "@rad/client";
import type { JsonObject, JsonValue } from "@rad/core";
import { isJsonObject } from "@rad/core/json";
import { CliError } from "../cli-error.ts";
import { printableLine } from "../output/printable.ts";
import { parseJson } from "./parse-json.ts";
import { readBody } from "./read-body.ts";

const maxQuoted = 200;
/** Servers that always name another page have to be left at some point. */
const maxPages = 10_000;

/** The last page's other members, and the items of all pages. @throws CliError when it is not a list */
export async function allPages(client: Client, request: RawRequest, first: string): Promise<JsonObject> {
  const items: JsonValue[] = [];
  const seen = new Set<string>();
  let page = parsePage(first);
  for (;;) {
    const { value, nextLink } = page;
    for (const item of Array.isArray(value) ? value : []) {
      items.push(item); // as arguments, a long page would overflow the stack
    }
    if (typeof nextLink !== "string" || nextLink === "") {
      const { nextLink: _, ...rest } = page;
      return { ...rest, value: items };
    }
    if (seen.has(nextLink)) {
      throw new CliError("UnexpectedResponse", "The pages of the list go round in a circle.");
    }
    if (seen.size === maxPages) {
      throw new CliError("UnexpectedResponse", `The list has more than ${maxPages} pages.`);
    }
    seen.add(nextLink);
    const { headers } = request;
    const answer = await client.exchange({
      method: "GET",
      url: nextLink,
      ...(headers === undefined ? {} : { headers }),
    });
    const text = await readBody(answer);
    if (answer.status >= 400) {
      throw new CliError(
        "UnexpectedResponse",
        `A page of the list was answered with ${answer.status}: ${printableLine(text).slice(0, maxQuoted)}`,
      );
    }
    page = parsePage(text);
  }
}

function parsePage(text: string): JsonObject {
  const page = parseJson(text);
  if (!isJsonObject(page) || (!Array.isArray(page["value"]) && page["value"] !== null)) {
    throw new CliError("UnexpectedResponse", "The answer is not a list, so there are no pages to follow.");
  }
  return page;
}
