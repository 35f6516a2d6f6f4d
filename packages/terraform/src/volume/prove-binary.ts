import { open } from "node:fs/promises";
import { isJsonObject } from "@rad/core";
import { InstallError } from "../install-error.ts";
import type { Platform } from "../platform.ts";
import { productNames } from "../product.ts";
import type { Product } from "../product.ts";
import { isReleaseVersion } from "../release/version.ts";
import { fileKind, headBytes, runsOn } from "./executable-kind.ts";
import { runBinary } from "./run-binary.ts";
import type { RunOptions } from "./run-binary.ts";

export interface Expected {
  readonly product: Product;
  /** Left out: any. */
  readonly version: string | undefined;
  readonly platform: Platform;
}

/**
 * Proves by running it that a file is the program, of the version and for the machine that are expected.
 * `version -json` looks the same for both products; the first line of plain `version` tells them apart.
 * @returns its version
 * @throws InstallError `BinaryRefused`, `WrongArchitecture`, `WrongProduct`, `WrongVersion`
 */
export async function proveBinary(path: string, expected: Expected, options: RunOptions): Promise<string> {
  await checkFormat(path, expected.platform);
  const [json, text] = await Promise.all([
    runBinary(path, ["version", "-json"], options),
    runBinary(path, ["version"], options),
  ]);
  const { version, platform } = readVersionJson(json);
  const product = productIn(text);
  if (product !== expected.product) {
    throw new InstallError(
      "WrongProduct",
      `The binary is ${productNames[product]} ${version}, not ${productNames[expected.product]}.`,
    );
  }
  if (expected.version !== undefined && version !== expected.version) {
    throw new InstallError(
      "WrongVersion",
      `The binary is ${productNames[product]} ${version}, but version ${expected.version} was asked for.`,
    );
  }
  const machine = `${expected.platform.os}_${expected.platform.arch}`;
  if (platform !== undefined && platform !== machine) {
    throw wrongArchitecture(`is for ${platform}`, machine);
  }
  return version;
}

async function checkFormat(path: string, platform: Platform): Promise<void> {
  await using file = await open(path, "r");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  const kind = fileKind(buffer.subarray(0, bytesRead));
  if (kind.kind === "program" && !runsOn(kind, platform)) {
    const what = `is a program in the format ${kind.format}${kind.arch === undefined ? "" : ` for ${kind.arch}`}`;
    throw wrongArchitecture(what, `${platform.os}_${platform.arch}`);
  }
  if (!runsOn(kind, platform)) {
    const why = kind.kind === "other" ? kind.what : "it is an archive";
    throw new InstallError("BinaryRefused", `The binary is not a program: ${why}.`);
  }
}

function readVersionJson(text: string): { readonly version: string; readonly platform: string | undefined } {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw notTheProgram("version -json");
  }
  const version = isJsonObject(answer) ? answer["terraform_version"] : undefined;
  const platform = isJsonObject(answer) ? answer["platform"] : undefined;
  if (typeof version !== "string" || !isReleaseVersion(version)) {
    throw notTheProgram("version -json");
  }
  return { version, platform: typeof platform === "string" ? platform.slice(0, 64) : undefined };
}

function productIn(text: string): Product {
  const [, name] = /^(Terraform|OpenTofu) v\d/u.exec(text) ?? [];
  if (name === undefined) {
    throw notTheProgram("version");
  }
  return name === "Terraform" ? "terraform" : "opentofu";
}

function notTheProgram(command: string): InstallError {
  return new InstallError("BinaryRefused", `The binary does not answer \`${command}\` as Terraform and OpenTofu do.`);
}

function wrongArchitecture(what: string, machine: string): InstallError {
  return new InstallError("WrongArchitecture", `The binary ${what}, which does not run on this machine (${machine}).`);
}
