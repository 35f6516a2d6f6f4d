import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

/** Prints the files and the built-in modules that a process has loaded. */
const recorder = `
  const files = [];
  process.getBuiltinModule("node:module").registerHooks({
    load: (url, context, next) => {
      files.push(url);
      return next(url, context);
    },
  });
  process.on("exit", () => {
    const loaded = [...files, ...process.moduleLoadList.map((name) => name.replace("NativeModule ", "node:"))];
    process.getBuiltinModule("node:fs").writeSync(1, JSON.stringify(loaded));
  });
`;

async function loadedBy(program: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [`--import=data:text/javascript,${encodeURIComponent(recorder)}`, "--input-type=module", "--eval", program],
    { cwd: import.meta.dirname },
  );
  return JSON.parse(stdout) as string[];
}

const heavy = ["/yaml/", "/ws/", "client-node", "/@rad/artifacts/", "/packages/artifacts/", "node:https", "node:tls"];

function heavyOf(loaded: readonly string[]): string[] {
  return heavy.filter((part) => loaded.some((file) => file === part || file.includes(part)));
}

test("importing the package loads nothing that a cluster or a folder takes", async () => {
  const loaded = await loadedBy(`await import("@rad/kubernetes");`);

  assert.deepEqual(heavyOf(loaded), []);
  assert.ok(loaded.some((file) => file.endsWith("/packages/kubernetes/src/index.ts")));
});

test("a folder loads nothing that a cluster takes, and a cluster nothing of others' clients", async () => {
  const folder = await loadedBy(`
    const { openObjectTarget } = await import("@rad/kubernetes");
    await openObjectTarget({ kind: "folder", path: "/nowhere" });`);
  const cluster = await loadedBy(`
    const { openObjectTarget } = await import("@rad/kubernetes");
    await openObjectTarget({ kind: "explicit", server: "https://127.0.0.1:1" });`);

  assert.deepEqual(heavyOf(folder), ["/yaml/", "/packages/artifacts/"]);
  assert.deepEqual(heavyOf(cluster), ["/yaml/", "node:https", "node:tls"]);
});
