import { copyFile, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { ArtifactError } from "@rad/artifacts";
import { createNetwork, fetchPatiently, isSuccess } from "@rad/artifacts/download";
import type { Answer } from "@rad/artifacts/download";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { CliHost } from "../host.ts";
import { displayUrl } from "./template-url.ts";

/** A template in a folder of its own, which goes away with it. */
export interface DownloadedTemplate extends AsyncDisposable {
  readonly folder: string;
  readonly file: string;
}

const totalMs = 60_000;
const maxBytes = 100 * 1024 * 1024;
const maxAttempts = 3;
const maxRedirects = 10;

/** Fetches a template; a Bicep file gets the configuration that applies in the working folder. */
export async function downloadTemplate(context: CommandContext, url: string): Promise<DownloadedTemplate> {
  const { host, output } = context;
  output.note(`Downloading template from ${displayUrl(url)}...`);
  const name = fileName(url);
  const content = await fetchTemplate(host, url);
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
export async function fetchTemplate(
  { env, signal }: Pick<CliHost, "env" | "signal">,
  url: string,
): Promise<Uint8Array> {
  const network = createNetwork({ addresses: "loopback", proxy: { env } });
  const limits = { totalMs, maxBytes, signal };
  const redirects = { max: maxRedirects, to: "anyHost" } as const;
  let answer: Answer;
  try {
    answer = await fetchPatiently(network, { url, plainHttp: "anywhere", redirects, ...limits }, { maxAttempts });
  } catch (error) {
    throw error instanceof ArtifactError ? failed(url, whyItFailed(error)) : error;
  }
  if (!isSuccess(answer.status)) {
    throw failed(url, `the server answered ${answer.status}`);
  }
  if (answer.headers["content-type"]?.toLowerCase().startsWith("text/html") === true) {
    throw failed(url, "the server sent a web page and no template");
  }
  return answer.bytes;
}

function whyItFailed({ code, reason, message }: ArtifactError): string {
  switch (code) {
    case "Unreachable":
      return `the server cannot be reached (${reason})`;
    case "Interrupted":
      return `the connection broke (${reason})`;
    case "TimedOut":
      return `took longer than ${totalMs / 1000} seconds`;
    case "TooLarge":
      return `it is larger than ${maxBytes} bytes`;
    case "InsecureRedirect":
      return "the server redirects from https to http";
    case "TooManyRedirects":
      return `the server redirects more than ${maxRedirects} times`;
    case "RedirectRefused":
      return "the server redirects to something that is no URL";
    default:
      return message.replace(/\.$/u, "");
  }
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

function failed(url: string, reason: string): CliError {
  return new CliError("DownloadFailed", `${displayUrl(url)} could not be downloaded: ${reason}.`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that is part of it
  }
}
