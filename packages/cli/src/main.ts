/** The program `rad`. What it imports is on the path of every start, so it imports next to nothing. */
import { cliVersion } from "./version.ts";

// A reader such as `head` may leave before we are done; that is its right and no error.
process.stdout.on("error", leaveQuietly);
process.stderr.on("error", leaveQuietly);

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  if (args.length === 2 && args[0] === "version" && args[1] === "--cli") {
    const { versionTable } = await import("./version-table.ts");
    process.stdout.write(versionTable(cliVersion));
    return;
  }
  const { runInProcess } = await import("./run-in-process.ts");
  process.exitCode = await runInProcess(args);
}

function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") {
    throw error;
  }
  process.exit(process.exitCode ?? 0);
}
