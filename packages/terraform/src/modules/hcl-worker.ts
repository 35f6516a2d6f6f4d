/**
 * A thread that parses HCL with the WebAssembly program of `@cdktn/hcl2json`, which is Terraform's own parser compiled
 * from Go. Only its program is used: the package's JavaScript gives it the file system, and waits in a busy loop.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { parentPort } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import type { HclSource, ParsedHcl } from "./parse-hcl.ts";

/** What the Go program registers. */
interface HclProgram {
  parse?(name: string, text: string, done: (error: string | null, json: string) => void): void;
}

interface GoRuntime {
  readonly importObject: object;
  run(instance: object): Promise<void>;
}

/** The types of Node have only its name. */
declare const WebAssembly: { instantiate(code: Uint8Array, imports: object): Promise<{ instance: object }> };

/** Has a bit of everything that modules are made of: what is run for the first time has to be compiled. */
const sample = `
terraform {
  required_providers {
    a = { source = "a/a", version = "~> 1.0" }
  }
}
variable "b" {
  type    = object({ c = optional(list(string), []) })
  default = null # nothing
  validation {
    condition     = length(var.b.c) > 1 || var.b == null
    error_message = "\${var.b.c[0]} is wrong."
  }
}
resource "a" "d" {
  for_each = { for key, value in var.b : key => merge(value, { e = true ? 1 : -2.5 }) if value != "f" }
  dynamic "g" {
    for_each = var.b[*].c
    content {
      h = <<-TEXT
        i %{ if true }j%{ endif }
      TEXT
    }
  }
}
output "k" { value = a.d["l"].m }
`;

const program = await startProgram();
await parse("sample.tf", sample); // while the module is still being fetched
parentPort?.on("message", (sources: readonly HclSource[]) => void answer(sources));

async function answer(sources: readonly HclSource[]): Promise<void> {
  const results: ParsedHcl[] = [];
  for (const { name, text } of sources) {
    results.push(await parse(name, text));
  }
  parentPort?.postMessage(results);
}

async function startProgram(): Promise<HclProgram> {
  const load = createRequire(import.meta.filename);
  const folder = path.dirname(load.resolve("@cdktn/hcl2json/package.json"));
  load(path.join(folder, "wasm", "wasm_exec.js")); // sets `Go`; without a global `fs` it has no files
  const scope = globalThis as unknown as { Go: new () => GoRuntime; __parse_terraform_config_wasm__: HclProgram };
  const registered: HclProgram = {};
  scope.__parse_terraform_config_wasm__ = registered;
  const go = new scope.Go();
  const packed = await readFile(path.join(folder, "main.wasm.gz"));
  const code = gunzipSync(packed, { chunkSize: packed.readUInt32LE(packed.length - 4) }); // its size: in one piece
  const { instance } = await WebAssembly.instantiate(code, go.importObject);
  // It runs until the thread ends. A program that gives up never answers: the thread then ends without a message.
  void go.run(instance).finally(() => process.exit());
  return registered;
}

async function parse(name: string, text: string): Promise<ParsedHcl> {
  return await new Promise((resolve) => {
    program.parse?.(name, text, (error, json) => resolve(error ? { error } : { json }));
  });
}
