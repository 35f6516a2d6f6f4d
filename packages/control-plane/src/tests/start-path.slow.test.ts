// What a server loads before it listens. Counted by kind, since the time it takes cannot be tested.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Prints, as JSON, the files that are loaded when the process first listens, and ends it. */
const recorder = `
  const files = [];
  process.getBuiltinModule("node:module").registerHooks({
    load: (url, context, next) => {
      files.push(url);
      return next(url, context);
    },
  });
  process.getBuiltinModule("node:net").Server.prototype.listen = () => {
    process.getBuiltinModule("node:fs").writeSync(1, JSON.stringify(files));
    process.exit();
  };`;

it("a server listens before it loads schemas, certificates, the bootstrap token and maintenance", async () => {
  const directory = await mkdtemp(join(tmpdir(), "radius-start-path-"));
  const config = join(directory, "server.yaml");
  await writeFile(config, `server: { port: 0 }\ndatabaseProvider: { sqlite: { directory: data } }\n`);
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  const args = ["--import", `data:text/javascript,${encodeURIComponent(recorder)}`, main, config];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args);

    const files = JSON.parse(stdout) as string[];
    assert.ok(files.some((file) => file.endsWith("/http/http-server.ts")));
    const late = /\/(?:loopback-tls|maintenance|resource-types\/src\/schema)\/|\/bootstrap-token\.ts$/;
    assert.deepEqual(
      files.filter((file) => late.test(file)),
      [],
    );
  } finally {
    await rm(directory, { recursive: true });
  }
});
