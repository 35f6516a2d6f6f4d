import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

/** What importing a room loads of the things that cost time: the start of `rad`, and a server's requests, pay for it. */
function loadedBy(...rooms: readonly string[]): string[] {
  const script = `
    const { registerHooks } = await import("node:module");
    const seen = new Set();
    registerHooks({
      resolve(specifier, context, next) {
        const found = next(specifier, context);
        seen.add(/node_modules\\/([^/]+)\\/|packages\\/(bicep)\\/|^(node:(?:sqlite|tls|zlib))/.exec(found.url)?.slice(1).find(Boolean));
        return found;
      },
    });
    for (const room of ${JSON.stringify(rooms)}) {
      await import(room);
    }
    seen.delete(undefined);
    process.stdout.write(JSON.stringify([...seen].sort()));
  `;
  const args = ["--input-type=module", "--eval", script];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" })) as string[];
}

for (const [room, loaded] of [
  ["@rad/artifacts", []],
  ["@rad/artifacts/files", []],
  ["@rad/artifacts/download", []],
  ["@rad/artifacts/oci", []],
  ["@rad/artifacts/archives", []],
  ["@rad/artifacts/bicep", ["bicep"]],
  ["@rad/artifacts/cache", ["bicep"]],
] as const) {
  test(`${room} loads ${loaded.join(", ") || "nothing costly"}`, () => {
    assert.deepEqual(loadedBy(room), loaded);
  });
}

test("the detector sees what it looks for", () => {
  assert.ok(loadedBy("undici").includes("undici"));
});
