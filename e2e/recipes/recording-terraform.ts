import { readFile } from "node:fs/promises";
import { zipOf } from "@rad/artifacts/testing";
import { realTerraform } from "@rad/terraform/testing/real-binaries";

/** A command of a run, as the program saw it. */
export interface RecordedCommand {
  /** Of the installed program. */
  readonly version: string;
  /** `init`, `apply`, … */
  readonly command: string;
  /** Where it ran: one folder for each run. */
  readonly folder: string;
  /** The value of the variable `MARK`. */
  readonly mark: string;
  /** Whether `TF_CLI_CONFIG_FILE` said how providers are installed. */
  readonly isConfigured: boolean;
}

/** A release archive of the real Terraform behind a program that says another version, and records each command in the file. */
export async function recordingTerraform(version: string, file: string): Promise<Buffer> {
  const { file: real } = await realTerraform();
  const platform = `${process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;
  // No shell: it would drop variables whose names have a colon, as those of tokens for a host with a port.
  const script = `#!${process.execPath}
const { appendFileSync, readFileSync } = require("node:fs");
const args = process.argv.slice(2);
const { TF_CLI_CONFIG_FILE: file = "", MARK: mark = "" } = process.env;
if (args[0] === "version") {
  const json = JSON.stringify({ terraform_version: ${JSON.stringify(version)}, platform: ${JSON.stringify(platform)} });
  console.log(args[1] === "-json" ? json : ${JSON.stringify(`Terraform v${version}`)});
} else {
  const isConfigured = readFileSync(file, "utf8").includes("provider_installation");
  const seen = { version: ${JSON.stringify(version)}, command: args[0], folder: process.cwd(), mark, isConfigured };
  appendFileSync(${JSON.stringify(file)}, JSON.stringify(seen) + "\\n");
  process.execve(${JSON.stringify(real)}, ["terraform", ...args], process.env);
}
`;
  return zipOf([["terraform", script, { mode: 0o100755 }]]);
}

export async function recordedCommands(file: string): Promise<readonly RecordedCommand[]> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as RecordedCommand);
}
