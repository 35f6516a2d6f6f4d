import { runCli } from "./run-cli.ts";

/** Runs a command line with this process's own streams and signals. */
export async function runInProcess(args: readonly string[]): Promise<number> {
  const interrupt = new AbortController();
  let signals = 0;
  const stop = (signal: NodeJS.Signals) => {
    signals += 1;
    if (signals > 1) {
      process.exit(130); // whoever asks twice does not want to wait for the cleaning up
    }
    interrupt.abort(new Error(signal));
  };
  // Opened only when somebody asks: that takes 3 ms for stdin, 1 for stderr.
  let stdin: NodeJS.ReadStream | undefined;
  let stderr: NodeJS.WriteStream | undefined;
  process.on("SIGINT", stop).on("SIGTERM", stop);
  try {
    return await runCli(args, {
      env: process.env,
      cwd: process.cwd(),
      home: process.env["HOME"] ?? process.env["USERPROFILE"] ?? process.getBuiltinModule("node:os").homedir(),
      get stdin() {
        stdin ??= process.stdin;
        return stdin;
      },
      stdout: process.stdout,
      get stderr() {
        // There is nowhere left to say so, and a server goes on without its log.
        stderr ??= process.stderr.on("error", () => {});
        return stderr;
      },
      signal: interrupt.signal,
      radiusTypes: async () => (await import("@rad/radius-types")).builtInTypes,
    });
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    stdin?.unref?.();
  }
}
