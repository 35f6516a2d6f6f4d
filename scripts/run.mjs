// Runs one of the repository's TypeScript programs on the Node of the lock file, after setting up what is missing:
//   node scripts/run.mjs scripts/test.ts --fast
// npm scripts call this rather than two commands in a row, because a shell remembers which `node` it found first.
import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { nodeBinary, setUp } from "./setup.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
try {
  await setUp(root);
} catch (error) {
  process.stderr.write(`Set-up failed: ${error.message}\n`);
  process.exit(1);
}

const child = spawn(nodeBinary(root), ["--disable-warning=ExperimentalWarning", ...process.argv.slice(2)], {
  stdio: "inherit",
  env: {
    NODE_COMPILE_CACHE: path.join(root, ".cache", "compile"),
    ...process.env,
    PATH: `${path.join(root, "node_modules", ".bin")}${path.delimiter}${process.env.PATH ?? ""}`,
  },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("exit", (code, signal) => {
  process.exitCode = code ?? 128 + (signal === "SIGINT" ? 2 : 15);
});
