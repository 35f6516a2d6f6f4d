import type { Exchange } from "./exchange.ts";

/** What tells one version of the content from the next: a strong tag, or the time of the last change. */
export function validatorOf({ headers }: Exchange): string | undefined {
  const { etag } = headers;
  return etag?.startsWith('"') === true ? etag : headers["last-modified"];
}

/** Asks for the rest, or for everything if it is no longer the same content. Without a validator nobody could tell. */
export function rangeHeaders(bytes: number, validator: string | undefined): Readonly<Record<string, string>> {
  return bytes === 0 || validator === undefined ? {} : { range: `bytes=${bytes}-`, "if-range": validator };
}

/** Whether an answer goes on where we stopped. One that starts elsewhere is no answer to what was asked. */
export function continuesAt({ status, headers }: Exchange, bytes: number): boolean {
  return status === 206 && /^bytes (\d+)-/u.exec(headers["content-range"] ?? "")?.[1] === String(bytes);
}

/** Of the whole content, where only a part of it is sent. */
export function totalBytesOf({ status, headers }: Exchange): number | undefined {
  const total = status === 206 ? /\/(\d+)$/u.exec(headers["content-range"] ?? "")?.[1] : undefined;
  return total === undefined ? undefined : Number(total);
}
