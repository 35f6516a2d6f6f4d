// Servers that are killed while they install, upgrade and uninstall, while somebody runs `current` all the time.
// RAD_TERRAFORM_KILLS and RAD_CRASH_SEED make it longer, or repeat what is asked for.
import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isTerminal } from "@rad/core";
import { CrashingServer } from "../support/crashing-server.ts";
import { seededRandom } from "../support/random.ts";
import { accepted, operationIdOf, readOperation, readStatus, send, settled } from "./installer-api.ts";
import { openRig } from "./installer-rig.ts";
import type { InstallerRig } from "./installer-rig.ts";
import { CurrentReader, runCurrent, untilTidy } from "./volume-look.ts";

const kills = Number(process.env["RAD_TERRAFORM_KILLS"] ?? 20);
const seed = Number(process.env["RAD_CRASH_SEED"] ?? Date.now() % 1_000_000);

/** As the status names them while a job runs. */
const installSteps = ["repair", "look", "resolve", "download", "unpack", "prove", "place", "activate"];
const uninstallSteps = ["count", "drain", "count again", "remove"];

/** How often a job may be over before anybody has seen its step. */
const tries = 12;

for (const [kind, boundaries] of [
  ["sqlite", [...installSteps, ...uninstallSteps]],
  ["postgresql", [...uninstallSteps, ...installSteps]],
] as const) {
  it(`${kind}: a server killed at any instant leaves a working binary or none, and loses no job`, async (t) => {
    const random = seededRandom(seed);
    await using rig = await openRig(kind, { drainSeconds: 1 });
    await using server = new CrashingServer(rig.database, rig.config);
    await server.start();
    await using reader = new CurrentReader(rig.root);
    const campaign = new Campaign(rig, server, random);
    const own = Math.ceil(kills / 2);
    const atSteps = boundaries.slice(0, Math.ceil(own * 0.8));

    for (const step of atSteps) {
      await campaign.killAt(step);
    }
    while (server.killed < own) {
      await campaign.killSometime();
    }

    assert.deepEqual(reader.broken, []);
    assert.ok(reader.runs > 0);
    t.diagnostic(
      `RAD_TERRAFORM_KILLS=${kills} RAD_CRASH_SEED=${seed}: ${server.killed} kills, at the steps ${atSteps.join(", ")}; ` +
        `${campaign.jobs} jobs; current ran ${reader.runs} times and was absent ${reader.absent} times`,
    );
  });
}

class Campaign {
  jobs = 0;
  readonly #rig: InstallerRig;
  readonly #server: CrashingServer;
  readonly #random: () => number;
  readonly #versions: string[] = [];

  constructor(rig: InstallerRig, server: CrashingServer, random: () => number) {
    this.#rig = rig;
    this.#server = server;
    this.#random = random;
  }

  /** Kills as soon as the status shows the step; a job that is over before is followed by another one. */
  async killAt(step: string): Promise<void> {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const id = uninstallSteps.includes(step) ? await this.#uninstall() : await this.#installNew();
      const seen = await this.#watchFor(id, step);
      if (seen) {
        await this.#server.kill();
      }
      await this.#check([id]);
      if (seen) {
        return;
      }
    }
    assert.fail(`the step ${step} was never seen`);
  }

  async killSometime(): Promise<void> {
    const ids: string[] = [];
    for (let count = Math.floor(this.#random() * 3); count >= 0; count -= 1) {
      const choice = this.#random();
      if (choice < 0.25) {
        const reply = await send(this.#server.running, "POST", "uninstall");
        assert.ok(reply.status === 202 || reply.status === 404, JSON.stringify(reply));
        ids.push(...(reply.status === 202 ? [operationIdOf(reply)] : []));
      } else if (choice < 0.5 && this.#versions.length > 0) {
        const version = this.#versions[Math.floor(this.#random() * this.#versions.length)] ?? "";
        const reply = await send(this.#server.running, "POST", "install", { version });
        assert.ok(reply.status === 202 || reply.status === 200, JSON.stringify(reply));
        ids.push(...(reply.status === 202 ? [operationIdOf(reply)] : []));
      } else {
        ids.push(await this.#installNew());
      }
    }
    await sleep(this.#random() * 600);
    await this.#server.kill();
    await this.#check([...new Set(ids)]);
  }

  async #installNew(): Promise<string> {
    const version = `2.${this.#versions.length}.0`;
    await this.#rig.mirror.publish("terraform", version);
    this.#versions.push(version);
    this.jobs += 1;
    return await accepted(this.#server.running, "install", { version });
  }

  /** Of something that is installed for it, if nothing is. */
  async #uninstall(): Promise<string> {
    if ((await readStatus(this.#server.running)).currentVersion === null) {
      await this.#installNew();
      await settled(this.#server.running);
    }
    this.jobs += 1;
    return await accepted(this.#server.running, "uninstall");
  }

  /**
   * Steps take milliseconds, so what counts is that the step has begun while the job is not over yet.
   * @returns `false` when the job is over
   */
  async #watchFor(id: string, step: string): Promise<boolean> {
    for (;;) {
      const [operation, { queue }] = await Promise.all([
        readOperation(this.#server.running, id),
        readStatus(this.#server.running),
      ]);
      if (isTerminal(operation.status)) {
        return false;
      }
      const isShown = queue.inProgress?.operationId === id && queue.inProgress.step === step;
      if (isShown || operation.steps.includes(step)) {
        return true;
      }
    }
  }

  /** When every job is over, status, history and volume agree, and nothing unfinished is left. */
  async #check(ids: readonly string[]): Promise<void> {
    const { root } = this.#rig;
    const before = await runCurrent(root); // a job may be under way again
    assert.ok(before === undefined || before.startsWith("Terraform v"), `current says ${before}`);
    const status = await settled(this.#server.running);
    for (const id of ids) {
      const entries = status.history.filter((entry) => entry.operationId === id);
      assert.equal(entries.length, 1, `${id} is ${entries.length} times in the history`);
      assert.ok(
        entries[0]?.state === "succeeded" || entries[0]?.error === "Terraform is not installed",
        JSON.stringify(entries[0]),
      );
    }
    const { currentVersion, state } = status;
    assert.deepEqual(
      [await runCurrent(root), state],
      currentVersion === null ? [undefined, "not-installed"] : [`Terraform v${currentVersion}`, "ready"],
    );
    await untilTidy(root);
  }
}
