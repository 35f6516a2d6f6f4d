import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { join } from "node:path";
import { InstallError } from "../install-error.ts";
import { testFolder, testVolume } from "../tests/volume-kit.ts";
import type { TestFolder } from "../tests/volume-kit.ts";
import type { BinaryVolume } from "../volume/binary-volume.ts";
import { startReleaseMirror } from "./release-mirror.ts";
import type { ReleaseMirror } from "./release-mirror.ts";

let mirror: ReleaseMirror;
let folder: TestFolder;
let roots = 0;
before(async () => {
  mirror = await startReleaseMirror();
  folder = await testFolder();
});
after(async () => {
  await mirror[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

it("publishes signed releases of both products, which a volume takes as it takes those of the publishers", async () => {
  await mirror.publish("terraform", "1.6.4");
  await mirror.publish("terraform", "1.7.0-rc1");
  await mirror.publish("opentofu", "1.10.10");

  const terraform = await install({ product: "terraform" });
  const tofu = await install({ product: "opentofu" });

  assert.deepEqual([terraform.version, terraform.verified], ["1.6.4", true]);
  assert.deepEqual([tofu.version, tofu.verified], ["1.10.10", true]);
});

it("cuts a download, which goes on by a range", async () => {
  const release = await mirror.publish("terraform", "1.6.5");
  using fault = mirror.fault(/1\.6\.5.*zip$/u, { kind: "cut", afterBytes: 100 }, { times: 2 });

  const { version } = await install({ product: "terraform", version: "1.6.5" });

  assert.deepEqual([version, fault.met, release.downloads()], ["1.6.5", 2, 3]);
});

it("stalls until the fault is disposed", async () => {
  const release = await mirror.publish("terraform", "1.6.6");
  const fault = mirror.fault(/1\.6\.6.*zip$/u, { kind: "stall", afterBytes: 10 });
  const installed = install({ product: "terraform", version: "1.6.6" });
  while (release.downloads() === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }

  fault[Symbol.dispose]();

  assert.equal((await installed).version, "1.6.6");
});

for (const [name, fault, code] of [
  ["corrupts", { kind: "corrupt", at: 200 }, "ChecksumMismatch"],
  ["redirects", { kind: "redirect", to: "http://127.0.0.1:1/" }, "DownloadRefused"],
  ["refuses", { kind: "status", status: 403 }, "DownloadFailed"],
] as const) {
  it(`${name} an archive, which the volume refuses`, async () => {
    await mirror.publish("terraform", "1.8.0");
    using _ = mirror.fault(/1\.8\.0.*zip$/u, fault);

    const installed = install({ product: "terraform", version: "1.8.0" });

    await assert.rejects(installed, (error) => error instanceof InstallError && error.code === code);
  });
}

it("drips an archive, and answers 500 before it", async () => {
  await mirror.publish("terraform", "1.9.0");
  using error = mirror.fault(/1\.9\.0.*zip$/u, { kind: "status", status: 500 }, { times: 1 });
  using drip = mirror.fault(/1\.9\.0.*zip$/u, { kind: "drip", bytes: 64, everyMs: 1 });

  assert.equal((await install({ product: "terraform", version: "1.9.0" })).version, "1.9.0");
  assert.deepEqual([error.met, drip.met], [1, 1]);
});

async function install(order: Parameters<BinaryVolume["install"]>[0]) {
  roots += 1;
  const source = { baseUrl: mirror.url, keys: [mirror.keyFile] };
  const volume = testVolume(join(folder.path, `root-${roots}`), {
    caBundle: mirror.ca,
    sources: { terraform: source, opentofu: source },
  });
  return await volume.install(order, { signal: AbortSignal.timeout(60_000) });
}
