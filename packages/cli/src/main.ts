/** The program `rad`. What it imports is on the path of every start, so it imports next to nothing. */
import { cliVersion, isBundled } from "./version.ts";

process.stdout.on("error", leave);

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  if (args.length === 2 && args[0] === "version" && args[1] === "--cli") {
    const { versionTable } = await import("./version-table.ts");
    const version = isBundled ? cliVersion : (await import("./source-commit.ts")).shownVersion();
    process.stdout.write(versionTable(version));
    return;
  }
  const { runInProcess } = await import("./run-in-process.ts");
  process.exitCode = await runInProcess(args);
}

/** A reader such as `head` may go before we are done, which is its right. Any other failure means that output is lost. */
function leave(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") {
    process.exit(process.exitCode ?? 0);
  }
  process.stderr.write(`Error: The output cannot be written: ${error.message}.\nCode:  OutputNotWritable\n\n`);
  process.exit(1);
}
