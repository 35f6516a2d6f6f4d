import { copyFile, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { displayUrl } from "./template-url.ts";

/** A template in a folder of its own, which goes away with it. */
export interface DownloadedTemplate extends AsyncDisposable {
  readonly folder: string;
  readonly file: string;
}

export interface DownloadOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

const totalMs = 60_000;
const maxBytes = 100 * 1024 * 1024;
const maxAttempts = 3;
const backoffMs = 500;
const maxRedirects = 10;

/** Fetches a template; a Bicep file gets the configuration that applies in the working folder. */
export async function downloadTemplate(context: CommandContext, url: string): Promise<DownloadedTemplate> {
  const { host, output } = context;
  output.note(`Downloading template from ${displayUrl(url)}...`);
  const signal = AbortSignal.any([host.signal, AbortSignal.timeout(totalMs)]);
  const name = fileName(url);
  const content = await fetchTemplate(url, {
    fetch: globalThis.fetch,
    signal,
    maxBytes,
    sleep: (ms) => sleep(ms, undefined, { signal }),
  }).catch((error: unknown) => {
    host.signal.throwIfAborted();
    throw signal.aborted ? failed(url, `took longer than ${totalMs / 1000} seconds`) : error;
  });
  const folder = await mkdtemp(join(tmpdir(), "rad-template-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const file = join(folder, name);
    await writeFile(file, content);
    if (name.toLowerCase().endsWith(".bicep")) {
      await addConfiguration(host.cwd, folder);
    }
    return { folder, file, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The content of a URL, with a few tries and within bounds. @throws CliError `DownloadFailed` */
export async function fetchTemplate(url: string, options: DownloadOptions): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await tryOnce(url, options);
    if ("content" in outcome) {
      return outcome.content;
    }
    if (attempt === maxAttempts || !outcome.mayRepeat) {
      throw outcome.error;
    }
    await options.sleep(outcome.retryAfterMs ?? backoffMs * attempt);
  }
}

type Outcome =
  | { readonly content: Uint8Array }
  | { readonly error: CliError; readonly mayRepeat: boolean; readonly retryAfterMs?: number | undefined };

async function tryOnce(url: string, options: DownloadOptions): Promise<Outcome> {
  let response: Response;
  try {
    response = await follow(url, options);
  } catch (error) {
    options.signal.throwIfAborted();
    return error instanceof CliError
      ? { error, mayRepeat: false }
      : { error: failed(url, "the server cannot be reached", error), mayRepeat: true };
  }
  if (!response.ok) {
    await response.body?.cancel();
    const mayRepeat = response.status === 429 || response.status >= 500;
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    const retryAfterMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
    return { error: failed(url, `the server answered ${response.status}`), mayRepeat, retryAfterMs };
  }
  if (response.headers.get("content-type")?.toLowerCase().startsWith("text/html") === true) {
    await response.body?.cancel();
    return { error: failed(url, "the server sent a web page and no template"), mayRepeat: false };
  }
  return readBounded(url, response, options);
}

/** Follows redirects by hand, because one from https to http would show the URL's secrets to everybody. */
async function follow(url: string, options: DownloadOptions): Promise<Response> {
  let current = new URL(url);
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const bare = new URL(current);
    bare.username = "";
    bare.password = "";
    const headers = authorizationOf(current);
    const response = await options.fetch(bare, { redirect: "manual", headers, signal: options.signal });
    const location = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
    if (location === null) {
      return response;
    }
    await response.body?.cancel();
    const next = URL.parse(location, current);
    if (next === null || (next.protocol !== "https:" && next.protocol !== "http:")) {
      throw failed(url, "the server redirects to something that is no URL");
    }
    if (current.protocol === "https:" && next.protocol === "http:") {
      throw failed(url, "the server redirects from https to http");
    }
    if (next.origin === current.origin && next.username === "" && next.password === "") {
      next.username = current.username; // it asked once and would ask again; nobody else gets to know
      next.password = current.password;
    }
    current = next;
  }
  throw failed(url, `the server redirects more than ${maxRedirects} times`);
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") {
    return {};
  }
  const credentials = Buffer.from(`${decoded(username)}:${decoded(password)}`, "utf8").toString("base64");
  return { authorization: `Basic ${credentials}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that is part of it
  }
}

async function readBounded(url: string, response: Response, options: DownloadOptions): Promise<Outcome> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.byteLength;
      if (length > options.maxBytes) {
        return { error: failed(url, `it is larger than ${options.maxBytes} bytes`), mayRepeat: false };
      }
      chunks.push(chunk);
    }
  } catch (error) {
    options.signal.throwIfAborted();
    return { error: failed(url, "the connection broke", error), mayRepeat: true };
  }
  return { content: Buffer.concat(chunks) };
}

/** The last part of the path, which says what kind of file it is. */
function fileName(url: string): string {
  const name = basename(decoded(URL.parse(url)?.pathname ?? ""));
  if (!/\.(bicep|json)$/i.test(name) || /[\\/\0]/.test(name)) {
    throw new CliError("InvalidUsage", `${displayUrl(url)} names neither a .bicep nor a .json file.`);
  }
  return name;
}

const configurationName = "bicepconfig.json";

/** The nearest configuration above the working folder; without one the compiler uses its own. */
async function addConfiguration(from: string, folder: string): Promise<void> {
  for (let at = from; ; at = dirname(at)) {
    const candidate = join(at, configurationName);
    if (await isFile(candidate)) {
      await copyFile(candidate, join(folder, configurationName));
      return;
    }
    if (at === dirname(at)) {
      return;
    }
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function failed(url: string, reason: string, cause?: unknown): CliError {
  const because = cause instanceof Error && cause.cause instanceof Error ? ` (${codeOf(cause.cause)})` : "";
  return new CliError("DownloadFailed", `${displayUrl(url)} could not be downloaded: ${reason}${because}.`);
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
