import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CliError, Interrupted, systemCode } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { unreadableFile } from "../unreadable-file.ts";

interface SecretSource {
  /** What it is, as a prompt and an error name it: `client secret`. */
  readonly what: string;
  /** A path, or `-` for stdin; without one, somebody is asked. */
  readonly file: string | undefined;
  /** How the file is given where there is no terminal to ask on. */
  readonly fileFlag: string;
}

/** The bytes of a secret from a file, from stdin or from a prompt that shows nothing. @throws CliError */
export async function readSecretBytes(context: CommandContext, source: SecretSource): Promise<Buffer> {
  const { what, file } = source;
  const bytes = file === undefined ? Buffer.from(await askSecret(context, source)) : await readBytes(context, file);
  if (bytes.length === 0) {
    throw emptySecret(what);
  }
  return bytes;
}

/** The same as text, without the line break that editors and `echo` leave at the end. */
export async function readSecretText(context: CommandContext, source: SecretSource): Promise<string> {
  const text = textOf(await readSecretBytes(context, source));
  if (text === undefined) {
    throw new CliError("InvalidSecret", `The ${source.what} is not text in UTF-8.`);
  }
  if (text === "") {
    throw emptySecret(source.what);
  }
  return text;
}

/** Bytes as text without one line break at the end; `undefined` when they are not UTF-8. */
export function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\r?\n$/, "");
  } catch {
    return undefined;
  }
}

export function emptySecret(what: string): CliError {
  return new CliError("EmptySecret", `The ${what} is empty.`);
}

async function readBytes({ host }: CommandContext, file: string): Promise<Buffer> {
  if (file === "-") {
    const chunks: Buffer[] = [];
    for await (const chunk of host.stdin) {
      chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
    }
    return Buffer.concat(chunks);
  }
  try {
    return await readFile(resolve(host.cwd, file));
  } catch (error) {
    throw unreadableFile(file, systemCode(error));
  }
}

async function askSecret(context: CommandContext, { what, fileFlag }: SecretSource): Promise<string> {
  const { stdin: input, stderr: output, signal } = context.host;
  if (!context.interactive) {
    throw new CliError(
      "SecretRequired",
      `There is no terminal to ask for the ${what}. Give it in a file with \`${fileFlag} <path>\`; - reads it from stdin.`,
    );
  }
  const { password } = await import("@clack/prompts");
  const answer = await password({ message: `Value of the ${what}`, input, output, signal });
  if (typeof answer === "symbol") {
    context.output.note("Cancelled; nothing was changed.");
    throw new Interrupted();
  }
  return answer ?? "";
}
