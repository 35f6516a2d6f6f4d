// Starts `rad server` once and stops it, so that the compile cache holds what every later start needs. Without it the
// first server of a fresh clone strips the types of all its files itself, which costs it half a second and 25 MB.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const main = path.join(import.meta.dirname, "..", "packages", "cli", "src", "main.ts");
const folder = await mkdtemp(path.join(tmpdir(), "rad-warm-up-"));
try {
  const server = spawn(process.execPath, [main, "server", "--data", folder, "--port", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 20_000,
  });
  const ended = once(server, "exit");
  server.stderr.on("data", (chunk) => {
    if (String(chunk).includes("is ready at")) {
      server.kill("SIGTERM");
    }
  });
  await ended;
} finally {
  await rm(folder, { recursive: true, force: true });
}
