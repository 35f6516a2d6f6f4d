import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A server that runs as a child; it ends when it is disposed, and with the test's process, whose end closes its input. */
export interface ChildServer extends AsyncDisposable {
  /** What the pattern's first group matched in its output. */
  readonly address: string;
}

export async function startChildServer(
  command: string,
  args: readonly string[],
  options: {
    readonly address: RegExp;
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<ChildServer> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => resolve());
    child.on("error", () => resolve());
  });
  const last: string[] = [];
  const address = await new Promise<string>((resolve, reject) => {
    const read = (line: string) => {
      last.push(line);
      last.splice(0, last.length - 10);
      const found = options.address.exec(line)?.[1];
      if (found !== undefined) {
        resolve(found);
      }
    };
    createInterface(child.stdout).on("line", read);
    createInterface(child.stderr).on("line", read);
    void ended.then(() => reject(new Error(`${command} ${args.join(" ")} ended at once:\n${last.join("\n")}`)));
  });
  return {
    address,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
