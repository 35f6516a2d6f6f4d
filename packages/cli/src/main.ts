/** The program `rad`. What it imports is on the path of every start: see `bench/` for what that may cost. */
import { cliVersion } from "./version.ts";

const args = process.argv.slice(2);

// A reader such as `head` may leave before we are done; that is its right and no error.
process.stdout.on("error", leaveQuietly);
process.stderr.on("error", leaveQuietly);

if (args.length === 2 && args[0] === "version" && args[1] === "--cli") {
  const { versionTable } = await import("./version-table.ts");
  process.stdout.write(versionTable(cliVersion));
} else {
  const { runInProcess } = await import("./run-in-process.ts");
  process.exitCode = await runInProcess(args);
}

function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") {
    throw error;
  }
  process.exit(process.exitCode ?? 0);
}
