import { ApiError } from "@rad/core";
import type { ApiRequest } from "./api-request.ts";

export const smallestTop = 5;
export const largestTop = 20;
export const usualTop = 10;

/** Checked on every request, lists or not, as clients expect. */
export function readTop(request: Pick<ApiRequest, "parameter">, byDefault = usualTop): number {
  const text = request.parameter("top");
  if (text === undefined) {
    return byDefault;
  }
  const top = Number(text);
  if (!/^\d+$/.test(text) || top < smallestTop || top > largestTop) {
    throw new ApiError(
      "BadRequest",
      `'top' must be a whole number from ${smallestTop} to ${largestTop}, not '${text}'. Leave it out for pages of ${byDefault}.`,
    );
  }
  return top;
}

/** How Azure's clients ask for it, where they may: `$top`, any number. Longer pages than ours are not to be had. */
export function readDollarTop(request: Pick<ApiRequest, "parameter">, longest: number): number | undefined {
  const text = request.parameter("$top");
  if (text === undefined) {
    return undefined;
  }
  if (!/^0*[1-9]\d*$/.test(text)) {
    throw new ApiError("BadRequest", `'$top' must be a whole number from 1, not '${text}'.`);
  }
  return Math.min(Number(text), longest);
}

export interface NextLinkOptions {
  /** What the request asked for, or the list's own length, which the next page then has by default. */
  readonly top?: number;
  /** The list, where the request's id does not name it. */
  readonly path?: string;
}

/** Where the list goes on. */
export function nextLink(
  request: ApiRequest,
  token: string,
  { top, path = request.id.toString() }: NextLinkOptions = {},
): string {
  const query = new URLSearchParams({ skipToken: token });
  const dollarTop = request.parameter("$top");
  if (dollarTop !== undefined) {
    query.set("$top", dollarTop);
  }
  // Where both are given this one counts, and lists that do not know the other go by it alone.
  const ownTop = dollarTop === undefined && top !== undefined && top <= largestTop ? String(top) : undefined;
  const asked = request.parameter("top") ?? ownTop;
  if (asked !== undefined) {
    query.set("top", asked);
  }
  if (request.apiVersion !== undefined) {
    query.set("api-version", request.apiVersion);
  }
  return `${request.linkBase}${path}?${query.toString()}`;
}
