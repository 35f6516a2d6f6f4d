import assert from "node:assert/strict";
import { mkdir, readdir, readFile, stat, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import { after, before, it } from "node:test";
import { isJsonObject, type LogFields, type Logger, silentLogger, type Tracing } from "@rad/core";
import { until } from "@rad/core/testing";
import type { Store } from "@rad/store";
import { openTemporaryStore } from "@rad/store/testing";
import { identify, processesIn } from "../runs/processes.ts";
import type { RunEvent } from "../runs/run-event.ts";
import { unsavedCreations } from "../runs/unsaved-creations.ts";
import type { TerraformRuns } from "../runs/terraform-runs.ts";
import { HttpStates } from "../state-backend/http-states.ts";
import { realOpenTofu, realTerraform } from "../testing/real-binaries.ts";
import {
  addressOf,
  type Downloads,
  leaseOf,
  openBuckets,
  openRuns,
  startDownloads,
  temporaryFolder,
} from "./run-kit.ts";
import { startStateServer, type StateServer } from "./state-server.ts";

let downloads: Downloads;
let store: Store;
let states: StateServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let runs: TerraformRuns;
const products = { terraform: realTerraform, opentofu: realOpenTofu };

before(async () => {
  downloads = await startDownloads();
  store = await openTemporaryStore();
  states = await startStateServer(store);
  folder = await temporaryFolder();
  runs = openRuns({ store, folder: folder.path, graceMs: 2_000 });
});
after(async () => {
  await states[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  await downloads[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function common() {
  return { binary: leaseOf(await realTerraform()), downloads, url: states.url };
}

for (const product of ["terraform", "opentofu"] as const) {
  it(`${product} applies, changes nothing twice, and destroys, with its state sealed in the store`, async () => {
    const name = `whole-${product}`;
    const order = { ...(await common()), binary: leaseOf(await products[product]()), name, buckets: [`${name}-a`] };
    const events: RunEvent[] = [];
    {
      await using run = await openBuckets(runs, { ...order, onEvent: (event) => events.push(event) });
      assert.equal((await stat(run.folder)).mode & 0o777, 0o700);
      assert.equal((await stat(join(run.folder, "main.tf.json"))).mode & 0o777, 0o600);
      await run.apply();
      await run.apply();
      const shown = await run.show();
      assert.ok(isJsonObject(shown) && isJsonObject(shown["values"]));
      assert.deepEqual(run.begunCreations(), []);
      await run.settle();
    }
    const summaries = events.flatMap((event) =>
      event.kind === "summary" && event.operation === "apply" ? [event.add] : [],
    );
    assert.deepEqual(summaries, [1, 0]);
    const completed = events.filter((event) => event.kind === "resource" && event.state === "completed");
    assert.deepEqual(
      completed.map((event) => "address" in event && event.address),
      [addressOf(`${name}-a`)],
    );
    assert.equal(await new HttpStates(store).has(name), true);
    assert.ok(
      !JSON.stringify((await store.list({ under: "/system/terraformStates" })).items.map(({ json }) => json)).includes(
        `${name}-a`,
      ),
    );
    {
      await using run = await openBuckets(runs, { ...order, purpose: "delete" });
      await run.destroy();
      await run.settle();
    }
    assert.deepEqual(downloads.cloud.objects(), []);
    assert.deepEqual(await readdir(join(folder.path, "runs")), []);
    assert.deepEqual(await runs.unsettled(), []);
  });
}

it("a second run downloads no module and no provider, and another right to read downloads for itself", async () => {
  const order = { ...(await common()), name: "cached", buckets: [] };
  await (await openBuckets(runs, order))[Symbol.asyncDispose]();
  const sent = [downloads.mirror.bytes(), downloads.registry.bytes()];

  await (await openBuckets(runs, order))[Symbol.asyncDispose]();
  assert.deepEqual([downloads.mirror.bytes(), downloads.registry.bytes()], sent);

  const env = { TF_TOKEN_example_com: "another-token" };
  await (await openBuckets(runs, { ...order, env }))[Symbol.asyncDispose]();
  assert.ok(downloads.registry.bytes() > (sent[1] ?? 0));
  assert.ok(downloads.mirror.bytes() > (sent[0] ?? 0));
});

it("Terraform that is killed after creating leaves a creation that no state has, and the next run inherits it", async () => {
  const order = { ...(await common()), name: "killed", buckets: ["killed-a"] };
  const call = ({ terraformPid }: { terraformPid: number }) => void process.kill(terraformPid, "SIGKILL");
  {
    using _ = downloads.cloud.fault(
      /^create aws_s3_bucket killed-a/u,
      { kind: "call", when: "after", call },
      { times: 1 },
    );
    await using run = await openBuckets(runs, order);

    await assert.rejects(run.apply(), { code: "Killed" });

    assert.deepEqual(
      run.begunCreations().map(({ address, state }) => [address, state]),
      [[addressOf("killed-a"), "begun"]],
    );
    assert.deepEqual(await processesIn(run.folder), []);
  }
  const [unsettled] = await runs.unsettled();
  assert.deepEqual(
    unsettled?.creations.map(({ address }) => address),
    [addressOf("killed-a")],
  );
  await using next = await openBuckets(runs, order);
  assert.deepEqual(
    unsavedCreations(next.inherited, await next.show()).map(({ address }) => address),
    [addressOf("killed-a")],
  );
  downloads.cloud.remove("killed-a");
  await next.apply();
  assert.deepEqual(unsavedCreations(next.inherited, await next.show()), []);
  await next.destroy();
  await next.settle();
});

it("a cancelled run interrupts Terraform, which saves what it has, and kills it after the grace period", async () => {
  const cancel = new AbortController();
  const order = { ...(await common()), name: "cancelled", buckets: ["cancelled-a"], signal: cancel.signal };
  using stall = downloads.cloud.fault(/^create aws_s3_bucket cancelled-a/u, { kind: "stall", when: "after" });
  const run = await openBuckets(runs, order);
  const applying = run.apply();
  const { terraformPid } = await stall.first;
  cancel.abort(new Error("cancelled by the test"));

  await assert.rejects(applying, /cancelled by the test/u);

  assert.equal(await identify(terraformPid), undefined);
  assert.deepEqual(
    run.begunCreations().map(({ address }) => address),
    [addressOf("cancelled-a")],
  );
  await run.settle();
  await run[Symbol.asyncDispose]();
  assert.deepEqual(await runs.unsettled().then((all) => all.flatMap(({ creations }) => creations)), []);
  downloads.cloud.remove("cancelled-a");
});

it("a supervisor that is killed takes Terraform with it, and what it had begun is known", async () => {
  const told = Promise.withResolvers<void>();
  const onEvent = (event: RunEvent): void => {
    if (event.kind === "resource" && event.state === "started") {
      told.resolve();
    }
  };
  const order = { ...(await common()), name: "orphaned", buckets: ["orphaned-a"], onEvent };
  const stall = downloads.cloud.fault(/^create aws_s3_bucket orphaned-a/u, { kind: "stall", when: "after" });
  await using run = await openBuckets(runs, order);
  const applying = run.apply();
  const { terraformPid } = await stall.first;
  await told.promise; // what the supervisor has not read yet is lost with it
  const status = await readFile(`/proc/${terraformPid}/stat`, "utf8");
  process.kill(Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[1]), "SIGKILL");

  await assert.rejects(applying, { code: "SupervisorLost" });

  stall[Symbol.dispose]();
  assert.equal(await identify(terraformPid), undefined);
  assert.deepEqual(
    run.begunCreations().map(({ address }) => address),
    [addressOf("orphaned-a")],
  );
  downloads.cloud.remove("orphaned-a");
});

it("a state that its backend does not take is sealed, and saved by the next run", async () => {
  const order = { ...(await common()), name: "unsaved", buckets: ["unsaved-a"] };
  const call = (): void => {
    states.isBroken = true;
  };
  {
    using _ = downloads.cloud.fault(
      /^create aws_s3_bucket unsaved-a/u,
      { kind: "call", when: "after", call },
      { times: 1 },
    );
    await using run = await openBuckets(runs, order);
    await assert.rejects(run.apply(), { code: "CommandFailed" });
    await run.settle();
  }
  states.isBroken = false;
  assert.equal(await new HttpStates(store).has("unsaved"), false);

  await using next = await openBuckets(runs, order);
  assert.equal(await new HttpStates(store).has("unsaved"), true);
  await next.apply();
  assert.equal(downloads.cloud.count("create", /^unsaved-a/u), 1);
  await next.destroy();
  await next.settle();
});

it("no secret value is in a log line, an event or a file while Terraform traces what it does", async () => {
  const secrets = [`p"a\${x}ss %{y} wörd \\ &<>`, "line one of it\nline two of it", "plain-canary-value"];
  const seen: string[] = [];
  for (const [index, password] of secrets.entries()) {
    const bucket = `canary-${index}`;
    const order = { ...(await common()), name: bucket, buckets: [bucket], password, env: { TF_LOG: "TRACE" } };
    using stall = downloads.cloud.fault(new RegExp(`^create aws_s3_bucket ${bucket}`, "u"), {
      kind: "stall",
      when: "after",
    });
    await using run = await openBuckets(runs, {
      ...order,
      onEvent: (event) => seen.push(JSON.stringify(event)),
      onLine: ({ text }) => seen.push(text),
    });
    const applying = run.apply();
    await Promise.race([stall.first, applying]);
    for (const entry of await readdir(join(run.folder, ".."), { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) {
        seen.push(await readFile(join(entry.parentPath, entry.name), "latin1"));
      }
    }
    stall[Symbol.dispose]();
    await applying;
    await run.destroy();
    await run.settle();
  }
  const text = seen.join("\n");
  assert.match(text, /\[redacted\]/u);
  for (const secret of secrets) {
    for (const form of [
      secret,
      JSON.stringify(secret).slice(1, -1),
      btoa(encodeURIComponent(secret)),
      encodeURIComponent(secret),
    ]) {
      assert.ok(!text.includes(form), `${form} is shown`);
    }
  }
});

it("leftovers of killed servers are swept, and folders with a process in them stay", async () => {
  await using run = await openBuckets(runs, { ...(await common()), name: "swept", buckets: [] });
  const own = join(run.folder, "..");
  const left = `${own.slice(0, -10)}dead`; // of a run of this machine
  await mkdir(join(left, "work"), { recursive: true });
  const hourAgo = new Date(Date.now() - 3_600_000);
  await utimes(left, hourAgo, hourAgo);
  await utimes(own, hourAgo, hourAgo);

  await runs.housekeeping();

  assert.deepEqual(await readdir(join(folder.path, "runs")), [basename(own)]);
});

it("nothing of the environment and the home of the server reaches Terraform", async () => {
  const own = { TF_VAR_names: "wrong", AWS_SECRET_ACCESS_KEY: "of-the-server", TF_CLI_ARGS: "-help", HOME: "/root" };
  const before = { ...process.env };
  const order = { ...(await common()), name: "alone", buckets: ["alone-a"] };
  Object.assign(process.env, own);
  const from = downloads.cloud.requests.length;
  try {
    await using run = await openBuckets(runs, order);
    await run.apply();
    await run.destroy();
    await run.settle();
    const [configured] = downloads.cloud.requests.slice(from).filter(({ action }) => action === "configure");
    const environment = new Map(configured?.environment.map((line) => line.split(/=(.*)/su, 2) as [string, string]));
    assert.equal(environment.get("HOME"), join(run.folder, "..", "home"));
    assert.deepEqual(
      ["TF_VAR_names", "AWS_SECRET_ACCESS_KEY", "TF_CLI_ARGS"].filter((name) => environment.has(name)),
      [],
    );
  } finally {
    for (const name of Object.keys(own)) {
      delete process.env[name];
    }
    Object.assign(process.env, before);
  }
});

it("runs at once with different settings see nothing of one another", async () => {
  const from = downloads.cloud.requests.length;
  const names = Array.from({ length: 5 }, (_, index) => `beside-${index}`);
  await Promise.all(
    names.map(async (name) => {
      const env = { MARK: name };
      await using run = await openBuckets(runs, { ...(await common()), name, buckets: [`${name}-a`], env });
      await run.apply();
      assert.equal(await new HttpStates(store).has(name), true);
      await run.destroy();
      await run.settle();
    }),
  );
  const marks = new Map<number, Set<string>>();
  for (const { environment, terraformPid } of downloads.cloud.requests.slice(from)) {
    for (const line of environment.filter((variable) => variable.startsWith("MARK="))) {
      marks.set(terraformPid, (marks.get(terraformPid) ?? new Set()).add(line));
    }
  }
  for (const { terraformPid, id } of downloads.cloud.requests.slice(from).filter(({ action }) => action === "create")) {
    assert.deepEqual([...(marks.get(terraformPid) ?? [])], [`MARK=${id.replace(/-a$/u, "")}`]);
  }
  assert.deepEqual(downloads.cloud.objects(), []);
});

it("a set-up that fails while Terraform logs objects says why, and its trace is no error", async () => {
  const messages: string[] = [];
  for (const level of ["OFF", "JSON"]) {
    const errors: string[] = [];
    const log: Logger = { ...silentLogger, child: () => log, error: (text) => void errors.push(text) };
    const opened = openBuckets(runs, {
      ...(await common()),
      downloads: { ...downloads, source: downloads.source.replace(/[^/]+$/u, "nowhere") },
      name: "objects",
      buckets: ["b"],
      env: { TF_LOG: level },
      log,
    });
    await assert.rejects(opened, (error: Error) => messages.push(error.message) > 0);
    assert.deepEqual(
      errors.filter((text) => text.startsWith("{")),
      [],
    );
  }
  const [plain, objects] = messages;
  assert.match(plain ?? "", /nowhere/u);
  assert.equal(objects, plain);
});

it("output reaches the log line by line while Terraform runs, and the state does not", async () => {
  const lines: string[] = [];
  using stall = downloads.cloud.fault(/^create aws_s3_bucket live-a/u, { kind: "stall", when: "after" });
  const order = { ...(await common()), name: "live", buckets: ["live-a"] };
  await using run = await openBuckets(runs, { ...order, onLine: ({ text }) => lines.push(text) });
  const applying = run.apply();
  await stall.first;
  await until("the log says so", async () => lines.some((line) => line.includes("Creating...")));
  stall[Symbol.dispose]();
  await applying;
  const before = lines.length;

  assert.match(JSON.stringify(await run.show()), /live-a/u);

  assert.deepEqual(lines.slice(before), []);
  await run.destroy();
  await run.settle();
});

it("every command is a span, and log lines carry the resource, the version and the hosts in use", async () => {
  const spans: string[] = [];
  const tracing: Tracing = {
    enabled: true,
    withSpan: async ({ name }, work) => {
      spans.push(name);
      return await work({ setAttributes: () => {} });
    },
    currentTraceparent: () => undefined,
  };
  const fields: LogFields[] = [];
  const log: Logger = {
    ...silentLogger,
    child: (more) => {
      fields.push(more);
      return log;
    },
  };
  const traced = openRuns({ store, folder: folder.path, tracing });
  await using run = await openBuckets(traced, { ...(await common()), name: "traced", buckets: [], log });
  await run.apply();
  await run.show();
  await run.settle();

  assert.deepEqual(spans.slice(-3), ["terraform init", "terraform apply", "terraform show"]);
  const [first] = fields;
  assert.match(String(first?.["terraform"]), /^terraform 1\./u);
  assert.match(String(first?.["resourceId"]), /traced$/u);
  assert.deepEqual(first?.["hosts"], [downloads.mirror.host, downloads.registry.host]);
});
