import assert from "node:assert/strict";
import { rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { ApiError, type JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import { machinePlatform } from "../platform.ts";
import { InstallerKit, type StorePair, textOf } from "./installer-kit.ts";
import { createCa, createLeaf, startWebServer } from "@rad/artifacts/testing";
import { leaseInput, leasesId } from "../leases/execution-lease.ts";
import { ca, startMirror } from "./mirror.ts";
import { releaseZip, standIn } from "./stand-in.ts";
import { snapshot } from "./volume-kit.ts";

/** What the installer promises on every database. */
export function describeInstaller(name: string, openStores: () => Promise<StorePair>): void {
  const open = (): Promise<InstallerKit> => InstallerKit.open(openStores);
  const conflict = (message: RegExp | string) => (error: unknown) =>
    error instanceof ApiError &&
    error.code === "Conflict" &&
    (typeof message === "string" ? error.message === message : message.test(error.message));

  it(`${name}: installs a version, and answers the status that the seed describes`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4");
    const one = kit.one.start();
    assert.equal((await one.status()).state, "not-installed");

    const answer = await one.install({ version: "1.6.4" });
    const operation = await one.ended(answer);
    const status = await one.status();

    assert.equal(answer.status, 202);
    assert.deepEqual(answer.body, {
      operation: "install",
      product: "terraform",
      version: "1.6.4",
      status: "started",
      operationId: operation.id,
      ahead: 0,
    });
    assert.equal(operation.state, "Succeeded", JSON.stringify(operation.error));
    const { currentVersion, state, binaryPath, source, queue, history, ...ours } = status;
    assert.deepEqual(
      { currentVersion, state, binaryPath },
      {
        currentVersion: "1.6.4",
        state: "ready",
        binaryPath: join(kit.folder.root, "1.6.4", "terraform"),
      },
    );
    assert.equal(source?.url, kit.archiveUrl("1.6.4"));
    assert.match(source?.checksum ?? "", /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(queue, { pending: 0, inProgress: null });
    assert.deepEqual(
      history.map(({ startedAt, completedAt, ...entry }) => [entry, /^[\dT:-]+Z$/.test(startedAt + completedAt)]),
      [
        [
          {
            operationId: operation.id,
            operation: "install",
            product: "terraform",
            version: "1.6.4",
            state: "succeeded",
          },
          false,
        ],
      ],
    );
    assert.deepEqual([ours.health, ours.verified, ours.product, ours.lastError], ["healthy", true, "terraform", null]);
  });

  it(`${name}: a version that is installed and healthy is answered at once, without a download`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4");
    const one = kit.one.start();
    await one.installed("1.6.4");
    const before = kit.mirror.requests.length;

    const again = await kit.two.install({ version: "1.6.4" });

    assert.equal(again.status, 200);
    assert.deepEqual([again.body["status"], again.body["version"]], ["ready", "1.6.4"]);
    assert.equal(kit.mirror.requests.length, before);
    assert.equal((await one.status()).history.length, 1);
  });

  it(`${name}: a damaged binary is found and downloaded again`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4");
    const one = kit.one.start();
    await one.installed("1.6.4");
    await truncate(join(kit.folder.root, "1.6.4", "terraform"), 10);

    const answer = await one.install({ version: "1.6.4" });
    await one.ended(answer);

    assert.equal(answer.status, 202);
    assert.equal(kit.downloads("1.6.4"), 2);
    assert.deepEqual([(await one.status()).state, (await one.status()).health], ["ready", "healthy"]);
  });

  it(`${name}: another checksum for the installed version is a new install`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4");
    const one = kit.one.start();
    await one.installed("1.6.4");

    const answer = await one.install({ version: "1.6.4", source: { checksum: "0".repeat(64) } });
    const { state, error } = await one.ended(answer);

    assert.equal(state, "Failed");
    assert.match(error?.message ?? "", /sha256/i);
    assert.equal(kit.downloads("1.6.4"), 2);
    const status = await one.status();
    assert.deepEqual([status.state, status.currentVersion, status.history.length], ["ready", "1.6.4", 2]);
    assert.equal(status.history[0]?.error, error?.message);
  });

  it(`${name}: many requests for one version, at both processes, are one job and one download`, async () => {
    await using kit = await open();
    const gate = await kit.publishHeld("1.6.4");
    const [one, two] = [kit.one.start(), kit.two.start()];

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).install({ version: "1.6.4" })),
    );
    gate.resolve();
    const operations = await Promise.all(answers.map((answer) => one.ended(answer)));

    assert.equal(new Set(operations.map(({ id }) => id)).size, 1);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
    assert.equal(kit.downloads("1.6.4"), 1);
  });

  it(`${name}: order comes before joining, and going back needs no second download`, async () => {
    await using kit = await open();
    const gate = await kit.publishHeld("1.6.4");
    await kit.publish("1.7.0");
    const one = kit.one.start();

    const first = await one.install({ version: "1.6.4" });
    const second = await one.install({ version: "1.7.0" });
    const third = await kit.two.install({ version: "1.6.4" });
    const joined = await one.install({ version: "1.6.4" });
    gate.resolve();
    await one.ended(third);

    assert.deepEqual(
      [first, second, third, joined].map(({ body }) => [body["status"], body["ahead"]]),
      [
        ["started", 0],
        ["queued", 1],
        ["queued", 2],
        ["queued", 2],
      ],
    );
    assert.equal(third.body["operationId"], joined.body["operationId"]);
    assert.deepEqual([third.body["joined"], joined.body["joined"]], [undefined, true]);
    const { currentVersion, history } = await one.status();
    assert.equal(currentVersion, "1.6.4");
    assert.deepEqual(
      history.map(({ version, state }) => `${version} ${state}`),
      ["1.6.4 succeeded", "1.7.0 succeeded", "1.6.4 succeeded"],
    );
    assert.deepEqual([kit.downloads("1.6.4"), kit.downloads("1.7.0")], [1, 1]);
  });

  it(`${name}: a version in flight cannot be asked for from another source`, async () => {
    await using kit = await open();
    const gate = await kit.publishHeld("1.6.4");
    const one = kit.one.start();
    const first = await one.install({ version: "1.6.4" });

    const others: JsonObject[] = [{ checksum: "1".repeat(64) }, { url: "https://mirror.example/terraform.zip" }];
    for (const source of others) {
      await assert.rejects(
        kit.two.install({ version: "1.6.4", source }),
        conflict("install in progress, retry after status shows Succeeded"),
      );
    }
    gate.resolve();

    assert.equal((await one.ended(first)).state, "Succeeded");
    assert.equal((await one.status()).history.length, 1);
  });

  it(`${name}: jobs of both processes run one at a time, in the order in which they were accepted`, async () => {
    await using kit = await open();
    const versions = Array.from({ length: 12 }, (_, index) => `1.${index}.0`);
    await kit.publish(...versions);
    const [one, two] = [kit.one.start(), kit.two.start()];

    const accepted: string[] = [];
    let last = await one.install({ version: "1.0.0" });
    accepted.push(textOf(last.body["operationId"]));
    for (const [index, version] of versions.slice(1).entries()) {
      last = await (index % 2 === 0 ? two : one).install({ version });
      accepted.push(textOf(last.body["operationId"]));
    }
    await two.ended(last);

    const { history, currentVersion } = await two.status();
    assert.deepEqual(history.map(({ operationId }) => operationId).toReversed(), accepted);
    assert.equal(currentVersion, "1.11.0");
  });

  it(`${name}: while an install runs, the version before stays active, and the status shows how far it is`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4");
    const gate = await kit.publishHeld("1.7.0");
    const one = kit.one.start();
    await one.installed("1.6.4");

    const answer = await one.install({ version: "1.7.0" });
    await one.install({ version: "1.6.4" });
    const status = await until("the download has begun", async () => {
      const found = await kit.two.status();
      return found.queue.inProgress?.["step"] === "download" && found;
    });
    await using lease = await kit.two.installer.leases.acquire();

    assert.deepEqual([status.state, status.currentVersion], ["installing", "1.6.4"]);
    assert.equal(status.queue.pending, 1);
    const { operation, version, operationId } = status.queue.inProgress ?? {};
    assert.deepEqual([operation, version, operationId], ["install", "1.7.0", answer.body["operationId"]]);
    assert.equal(status.history[0]?.completedAt, null);
    assert.equal(lease.version, "1.6.4");
    gate.resolve();
    await one.ended(answer);
  });

  it(`${name}: a failed install keeps the version before, and can be asked for again`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4", "1.7.0");
    const one = kit.one.start();
    await one.installed("1.6.4");
    const before = await snapshot(kit.folder.root);
    kit.mirror.files.set(kit.archivePath("1.7.0"), "<!doctype html>");

    const failed = await one.installed("1.7.0");
    const after = await snapshot(kit.folder.root);
    const status = await one.status();
    await kit.publish("1.7.0");
    const again = await one.installed("1.7.0");

    assert.equal(failed.state, "Failed");
    assert.deepEqual(after, before);
    assert.deepEqual([status.state, status.currentVersion], ["ready", "1.6.4"]);
    assert.equal(status.lastError, status.history[0]?.error);
    assert.equal(again.state, "Succeeded");
    assert.deepEqual(
      (await one.status()).history.map(({ state }) => state),
      ["succeeded", "failed", "succeeded"],
    );
  });

  it(`${name}: a first install that fails leaves the state failed`, async () => {
    await using kit = await open();
    const one = kit.one.start();

    const { state } = await one.installed("9.9.9");
    const status = await one.status();

    assert.equal(state, "Failed");
    assert.deepEqual([status.state, status.currentVersion], ["failed", null]);
    await assert.rejects(
      one.installer.leases.acquire(),
      conflict("Terraform is not installed. Run 'rad terraform install' to install Terraform."),
    );
  });

  it(`${name}: without version and URL the newest release is found, and the answer names it`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4");
    kit.mirror.files.set("/terraform/index.json", indexOf("1.5.0", "1.6.4", "1.7.0-rc1"));
    const one = kit.one.start();

    const answer = await one.install({});

    assert.equal(answer.body["version"], "1.6.4");
    assert.equal((await one.ended(answer)).state, "Succeeded");
  });

  it(`${name}: the binary at a URL says its version itself, and its secrets stay hidden`, async () => {
    await using kit = await open();
    kit.mirror.files.set("/private/tf.zip", releaseZip("1.6.4"));
    const one = kit.one.start();
    const url = `${kit.mirror.url.replace("https://", "https://canary-user:canary-password@")}/private/tf.zip?sig=canary-query`;

    const answer = await one.install({ source: { url } });
    const operation = await one.ended(answer);
    const status = await one.status();

    assert.equal(answer.body["version"], null);
    assert.match(textOf(answer.body["warning"]), /without verification/);
    assert.equal(operation.state, "Succeeded", JSON.stringify(operation.error));
    assert.deepEqual([status.currentVersion, status.verified], ["1.6.4", false]);
    assert.equal(status.history[0]?.version, "1.6.4");
    assert.ok(kit.mirror.requests.some((path) => path.includes("sig=canary-query")));
    const audit = await one.store.audit.list({ limit: 100 });
    assert.doesNotMatch(JSON.stringify([answer, operation, status, audit]), /canary/);
    assert.deepEqual((await one.store.list({ under: "/system/terraformInstaller/jobs" })).items, []);
  });

  it(`${name}: certificates of an order are used for its download`, async () => {
    await using kit = await open();
    const other = createCa("private authority");
    await using mirror = await startMirror(createLeaf("127.0.0.1", other));
    mirror.files.set("/terraform_1.6.4_linux_amd64.zip", releaseZip("1.6.4"));
    const one = kit.one.start();
    const url = `${mirror.url}/terraform_1.6.4_linux_amd64.zip`;

    const without = await one.ended(await one.install({ source: { url } }));
    const withIt = await one.ended(await one.install({ source: { url, caBundle: `# ours\n${other.cert}` } }));

    assert.deepEqual([without.state, withIt.state], ["Failed", "Succeeded"]);
    assert.equal(without.error?.details?.[0]?.code, "TlsFailed");
    assert.notEqual(ca.cert, other.cert);
  });

  it(`${name}: an install that never ends is given up, and the queue goes on`, async () => {
    await using kit = await open();
    await kit.publishHeld("1.6.4");
    await kit.publish("1.7.0");
    const one = kit.one.start({ timeoutMs: 500 });

    const stuck = await one.ended(await one.install({ version: "1.6.4" }));
    await one.stop();
    const next = await kit.two.start().installed("1.7.0");

    assert.deepEqual([stuck.state, next.state], ["Failed", "Succeeded"]);
    assert.match((await one.status()).history.at(-1)?.error ?? "", /did not finish within/);
  });

  it(`${name}: jobs that wait when all processes end run afterwards, in their order`, async () => {
    await using kit = await open();
    await kit.publish("1.5.0", "1.6.0", "1.7.0");
    const answers = [];
    for (const version of ["1.5.0", "1.6.0", "1.7.0"]) {
      answers.push(await kit.one.install({ version }));
    }
    assert.equal((await kit.two.status()).queue.pending, 3);

    const two = kit.two.start();
    await Promise.all(answers.map((answer) => two.ended(answer)));

    assert.deepEqual(
      (await two.status()).history.map(({ version }) => version),
      ["1.7.0", "1.6.0", "1.5.0"],
    );
  });

  it(`${name}: an uninstall ends in not-installed, with nothing left on the volume`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4", "1.7.0");
    const one = kit.one.start();
    await one.installed("1.6.4");
    await one.installed("1.7.0");
    const states = new Set<string>();
    const over = new AbortController();
    const watching = watchStates(() => kit.two.status(), states, over.signal);

    const answer = await one.uninstall();
    const operation = await one.ended(answer);
    over.abort();
    await watching;
    const status = await one.status();

    assert.deepEqual([answer.body["operation"], answer.body["version"]], ["uninstall", "1.7.0"]);
    assert.equal(operation.state, "Succeeded", JSON.stringify(operation.error));
    assert.ok(states.has("pending-deletion"), [...states].join());
    const { state, currentVersion, binaryPath, installedAt, source } = status;
    assert.deepEqual(
      { state, currentVersion, binaryPath, installedAt, source },
      { state: "not-installed", currentVersion: null, binaryPath: null, installedAt: null, source: null },
    );
    assert.deepEqual(
      status.history.map((entry) => `${entry.operation} ${entry.version} ${entry.state}`),
      ["uninstall 1.7.0 succeeded", "install 1.7.0 succeeded", "install 1.6.4 succeeded"],
    );
    const files = Object.keys(await snapshot(kit.folder.root)).filter((file) => !file.startsWith("."));
    assert.deepEqual(files, []);
  });

  it(`${name}: an uninstall takes what is active when its turn comes`, async () => {
    await using kit = await open();
    const gate = await kit.publishHeld("1.7.0");
    const one = kit.one.start();
    await one.install({ version: "1.7.0" });

    const answer = await one.uninstall();
    const joined = await one.uninstall({});
    gate.resolve();
    await one.ended(answer);

    assert.deepEqual([answer.body["status"], answer.body["ahead"]], ["queued", 1]);
    assert.equal(joined.body["operationId"], answer.body["operationId"]);
    assert.equal((await one.status()).history[0]?.version, "1.7.0");
    assert.equal((await one.status()).state, "not-installed");
  });

  it(`${name}: with nothing installed there is nothing to uninstall`, async () => {
    await using kit = await open();

    await assert.rejects(kit.one.uninstall(), { code: "NotFound", message: "Terraform is not installed" });

    assert.deepEqual((await kit.one.status()).history, []);
  });

  it(`${name}: executions of both processes keep an uninstall off, and are counted`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4");
    const one = kit.one.start();
    await one.installed("1.6.4");
    const first = await one.installer.leases.acquire();
    const second = await kit.two.installer.leases.acquire();

    await assert.rejects(
      one.uninstall(),
      conflict("Terraform is in use by 2 active executions. Retry after executions complete."),
    );
    assert.equal((await one.status()).executions, 2);
    assert.equal((await one.status()).state, "ready");
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();

    assert.equal((await one.ended(await one.uninstall())).state, "Succeeded");
    await assert.rejects(one.installer.leases.acquire(), conflict(/Terraform is not installed\./));
  });

  it(`${name}: an execution that begins before the turn of an uninstall makes it fail with the same text`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4");
    const gate = await kit.publishHeld("1.7.0");
    const one = kit.one.start();
    await one.installed("1.6.4");
    await one.install({ version: "1.7.0" });
    const answer = await one.uninstall();
    await using _lease = await kit.two.installer.leases.acquire();
    gate.resolve();

    const { state, error } = await one.ended(answer);

    assert.equal(state, "Failed");
    assert.equal(error?.message, "Terraform is in use by 1 active executions. Retry after executions complete.");
    const status = await one.status();
    assert.deepEqual([status.state, status.currentVersion], ["ready", "1.7.0"]);
    assert.equal(status.history[0]?.error, error.message);
  });

  it(`${name}: no execution begins during the drain, and one that is left makes the uninstall fail back to ready`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4");
    const one = kit.one.start({ drainMs: 1_500 });
    await one.installed("1.6.4");

    const answer = await one.uninstall();
    await one.untilState("pending-deletion");
    await assert.rejects(kit.two.installer.leases.acquire(), conflict(/is being uninstalled.*pending-deletion/));
    await putLease(kit); // as if it had been stored just before the mark
    const { state, error } = await one.ended(answer);

    assert.equal(state, "Failed");
    assert.match(error?.message ?? "", /1 active executions did not complete.*timeout/);
    assert.equal((await one.status()).state, "ready");
    assert.equal((await kit.two.installer.leases.acquire()).version, "1.6.4");
  });

  it(`${name}: leases of dead processes run out, and a late renewal is refused`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4");
    const one = kit.one.start();
    await one.installed("1.6.4");
    await putLease(kit, 5_000);
    assert.equal((await one.installer.leases.live()).length, 1);

    await until("the lease has run out", async () => (await one.installer.leases.live()).length === 0);

    assert.equal((await one.ended(await one.uninstall())).state, "Succeeded");
    assert.deepEqual((await one.store.list({ under: "/system/terraformInstaller/executions" })).items, []);
  });

  it(`${name}: a lease is kept for as long as it is held, and told when it is lost`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4");
    const one = kit.one.start();
    await one.installed("1.6.4");
    const lease = await one.installer.leases.acquire();
    const [stored] = (await one.store.list({ under: "/system/terraformInstaller/executions" })).items;

    await until("it was renewed", async () => (await one.store.get(stored?.id ?? ""))?.etag !== stored?.etag);
    assert.equal(lease.signal.aborted, false);
    await one.store.write({ document: { kind: "remove", id: stored?.id ?? "", expect: "any" } });
    await until("it is lost", () => lease.signal.aborted);

    await lease[Symbol.asyncDispose]();
    assert.equal((await one.installer.leases.live()).length, 0);
  });

  it(`${name}: keeps one version before and those in use, and removes the others`, async () => {
    await using kit = await open();
    await kit.publish("1.5.0", "1.6.0", "1.7.0", "1.8.0");
    const one = kit.one.start();
    await one.installed("1.5.0");
    const lease = await one.installer.leases.acquire();
    const versions = async () => (await one.volume.list()).map(({ version }) => version).toSorted();
    for (const version of ["1.6.0", "1.7.0", "1.8.0"]) {
      await one.installed(version);
    }
    const inUse = await versions();

    await lease[Symbol.asyncDispose]();
    const afterwards = await versions();

    assert.deepEqual(inUse, ["1.5.0", "1.7.0", "1.8.0"]);
    assert.deepEqual(afterwards, ["1.7.0", "1.8.0"]);
    assert.equal((await one.volume.previous())?.version, "1.7.0");
  });

  it(`${name}: a binary lost behind our back is said so, and an install brings it back`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4");
    const one = kit.one.start();
    await one.installed("1.6.4");
    await rm(kit.folder.root, { recursive: true });

    await assert.rejects(one.installer.leases.acquire(), conflict(/Terraform is not installed\./));
    const status = await one.status();
    const repaired = await one.installed("1.6.4");

    assert.deepEqual([status.state, status.health, status.currentVersion], ["failed", "missing", null]);
    assert.match(status.lastError ?? "", /missing.*rad terraform install --version 1\.6\.4/);
    assert.equal(repaired.state, "Succeeded", JSON.stringify(repaired.error));
    assert.equal((await one.status()).state, "ready");
  });

  it(`${name}: the advice about a lost OpenTofu installs an OpenTofu`, async () => {
    await using kit = await open();
    kit.mirror.files.set("/tofu.zip", releaseZip("1.6.4", "opentofu"));
    const one = kit.one.start();
    const source = { url: `${kit.mirror.url}/tofu.zip` };
    await one.ended(await one.install({ product: "opentofu", version: "1.6.4", source }));
    await rm(kit.folder.root, { recursive: true });

    await one.installer.housekeeping();

    const { lastError } = await one.status();
    assert.match(lastError ?? "", /^OpenTofu 1\.6\.4 .*'rad terraform install --product opentofu --version 1\.6\.4'/);
  });

  it(`${name}: housekeeping notices a damaged binary`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4");
    const one = kit.one.start();
    await one.installed("1.6.4");
    await writeFile(join(kit.folder.root, "1.6.4", "terraform"), standIn("1.6.4").replace("exit 2", "exit 3"));

    await one.installer.housekeeping();

    assert.deepEqual([(await one.status()).state, (await one.status()).health], ["failed", "damaged"]);
  });

  it(`${name}: OpenTofu is installed beside Terraform, and one of them is active`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4");
    kit.mirror.files.set("/tofu.zip", releaseZip("1.6.4", "opentofu"));
    const one = kit.one.start();
    await one.installed("1.6.4");

    const source = { url: `${kit.mirror.url}/tofu.zip` };
    const answer = await one.install({ product: "opentofu", version: "1.6.4", source });
    const operation = await one.ended(answer);
    const status = await one.status();
    await using lease = await one.installer.leases.acquire();

    assert.equal(operation.state, "Succeeded", JSON.stringify(operation.error));
    assert.deepEqual(
      [answer.body["product"], status.product, status.currentVersion],
      ["opentofu", "opentofu", "1.6.4"],
    );
    assert.equal(lease.path, join(kit.folder.root, "opentofu-1.6.4", "tofu"));
    await assert.rejects(one.uninstall(), conflict(/^OpenTofu is in use by 1 active executions\./));
    const back = await one.ended(await one.install({ version: "1.6.4" }));
    assert.equal(back.state, "Succeeded");
    assert.equal(kit.downloads("1.6.4"), 1);
  });

  it(`${name}: a process without the shared volume fetches the active binary by its SHA-256`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4");
    const one = kit.one.start();
    await one.installed("1.6.4");
    await using elsewhere = await InstallerKit.open(openStores);
    const { volume } = elsewhere.one;
    await using server = await startWebServer((request, response) => {
      void one.installer.binary(request.url?.split("/").at(-1) ?? "").then(async (binary) => {
        response.writeHead(binary === undefined ? 404 : 200);
        for await (const chunk of binary?.content() ?? []) {
          response.write(chunk);
        }
        response.end();
      });
    });
    const two = kit.two.start({ volume, pullFrom: { url: server.url } });

    await using lease = await two.installer.leases.acquire();

    assert.equal(lease.path, join(elsewhere.folder.root, "1.6.4", "terraform"));
    assert.equal(lease.sha256, (await one.volume.current())?.sha256);
  });

  it(`${name}: every job is on record before its effect and at its end, and reads once a minute`, async () => {
    await using kit = await open();
    await kit.publish("1.6.4");
    const one = kit.one.start();
    await one.installed("1.6.4");
    await assert.rejects(one.install({ version: "v1" }));
    await one.status();
    await one.status();
    await one.install({ version: "1.6.4" });

    const records = (await one.store.audit.list({ limit: 100 })).map(
      ({ phase, action, target, caller, correlationId, result = "" }) =>
        `${phase} ${action} ${target.split("/installer/")[1]} ${caller} ${correlationId} ${result}`,
    );

    const version = "terraform/versions/1.6.4 token:tester correlation-1";
    assert.deepEqual(records, [
      `intent Radius.Core/installer/install/action ${version} `,
      `outcome Radius.Core/installer/install/action ${version} Succeeded`,
      "outcome Radius.Core/installer/read terraform token:tester correlation-1 Succeeded",
      `intent Radius.Core/installer/install/action ${version} `,
      `outcome Radius.Core/installer/install/action ${version} Succeeded`,
    ]);
  });
}

/** A lease of a process that does not renew it. */
async function putLease(kit: InstallerKit, leaseMs = 60_000): Promise<void> {
  const { store } = kit.two;
  const lease = {
    product: "terraform",
    version: "1.6.4",
    sha256: "",
    holder: "test",
    acquiredAt: new Date().toISOString(),
    leaseMs,
    expires: (await store.now()) + leaseMs,
  } as const;
  await store.write({ document: { kind: "put", input: leaseInput(`${leasesId}/dead`, lease), expect: "any" } });
}

async function watchStates(
  status: () => Promise<{ readonly state: string }>,
  seen: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    seen.add((await status()).state);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function indexOf(...versions: readonly string[]): string {
  return JSON.stringify({
    name: "terraform",
    versions: Object.fromEntries(
      versions.map((version) => [version, { name: "terraform", version, builds: [machinePlatform()] }]),
    ),
  });
}
