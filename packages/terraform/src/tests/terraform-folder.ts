import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { testFolder } from "./volume-kit.ts";

const run = promisify(execFile);

/** A working folder in which a test runs Terraform by hand, with nothing of its own environment but what it is given. */
export interface TerraformFolder extends AsyncDisposable {
  readonly path: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Runs a command; rejects with its output if it fails. @returns its standard output */
  run(...args: readonly string[]): Promise<string>;
}

export async function terraformFolder(options: {
  readonly binary: string;
  /** Content of the CLI configuration. */
  readonly cli: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<TerraformFolder> {
  const folder = await testFolder();
  const work = path.join(folder.path, "work");
  const cliFile = path.join(folder.path, "terraform.rc");
  await mkdir(work);
  await writeFile(cliFile, options.cli);
  const env = { TF_CLI_CONFIG_FILE: cliFile, CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1", HOME: folder.path };
  return {
    path: work,
    write: async (files) => {
      for (const [name, content] of Object.entries(files)) {
        await writeFile(path.join(work, name), content);
      }
    },
    run: async (...args) => {
      const ran = run(options.binary, args, { cwd: work, env: { ...env, ...options.env }, maxBuffer: 64 << 20 });
      const { stdout } = await ran.catch((error: Error & { stdout?: string; stderr?: string }) => {
        throw new Error(`${args.join(" ")}:\n${error.stdout}\n${error.stderr}`, { cause: error });
      });
      return stdout;
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
