import type { Exchange } from "./exchange.ts";

type Head = Pick<Exchange, "status" | "headers">;

/**
 * Asks for the rest of what `first` began, or for everything if that is no longer the same content. Without a validator
 * nobody could tell.
 */
export function rangeHeaders(bytes: number, first: Head | undefined): Readonly<Record<string, string>> {
  const validator = first === undefined ? undefined : validatorOf(first);
  return bytes === 0 || validator === undefined ? {} : { range: `bytes=${bytes}-`, "if-range": validator.value };
}

/**
 * Whether an answer goes on where we stopped, with the content that `first` began; not every server looks at `If-Range`.
 * One that starts elsewhere, or does not say where it ends, is no answer to what was asked.
 */
export function continuesAt(answer: Head, bytes: number, first: Head | undefined): boolean {
  if (answer.status !== 206 || !isWholeRange(answer, bytes)) {
    return false;
  }
  if (first === undefined || bytes === 0) {
    return true;
  }
  const validator = validatorOf(first);
  const now = validator === undefined ? undefined : answer.headers[validator.header];
  const isSame = now === undefined || now === validator?.value;
  return isSame && [undefined, totalBytesOf(answer)].includes(totalBytesOf(first));
}

/** Of the whole content, where the server says so. */
export function totalBytesOf({ status, headers }: Head): number | undefined {
  const total = status === 206 ? /\/(\d+)$/u.exec(headers["content-range"] ?? "")?.[1] : headers["content-length"];
  return total === undefined ? undefined : Number(total);
}

/** What tells one version of the content from the next: a strong tag, or the time of the last change. */
function validatorOf({ headers }: Head): { readonly header: string; readonly value: string } | undefined {
  const header = headers["etag"]?.startsWith('"') === true ? "etag" : "last-modified";
  const value = headers[header];
  return value === undefined ? undefined : { header, value };
}

function isWholeRange({ headers }: Head, start: number): boolean {
  const [, from] = /^bytes (\d+)-\d+\/\d+$/u.exec(headers["content-range"] ?? "") ?? [];
  return from === String(start);
}
