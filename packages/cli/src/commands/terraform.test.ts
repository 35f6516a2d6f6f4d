/** `rad terraform` against an installer whose answers are given; `terraform.slow.test.ts` runs it against a real one. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { createCa } from "@rad/artifacts/testing";
import type { JsonObject } from "@rad/core";
import {
  accepted,
  historyEntry,
  nothingInstalled,
  runningJob,
  scriptInstaller,
  statusOf,
} from "../testing/scripted-installer.ts";

const forbidden = {
  status: 403,
  body: { error: { code: "Forbidden", message: "'ci' needs Radius.Core/installer/write at '/'." } },
};

test("an install that starts prints the line of the design and returns at once", async () => {
  await using installer = await scriptInstaller({ install: accepted() });

  const run = await installer.sandbox.rad(["terraform", "install", "--version", "1.6.4"]);

  assert.deepEqual(run, { code: 0, stdout: "Terraform 1.6.4 install started...\n", stderr: "" });
  assert.deepEqual(
    installer.requests().map(({ method, path, body }) => ({ method, path, body })),
    [{ method: "POST", path: "/installer/terraform/install", body: { version: "1.6.4" } }],
  );
});

for (const [name, answer, line] of [
  ["behind another job", { version: "1.7.0", status: "queued", ahead: 1 }, "Terraform 1.7.0 install queued (1 ahead)"],
  ["of an OpenTofu", { product: "opentofu", version: "1.10.10" }, "OpenTofu 1.10.10 install started..."],
  ["whose version nobody knows", { version: null }, "Terraform install started..."],
  ["that joins another", { joined: true }, "Terraform 1.6.4 install already in progress"],
] as const) {
  test(`an install ${name} says so`, async () => {
    await using installer = await scriptInstaller({ install: accepted(answer) });

    const run = await installer.sandbox.rad(["terraform", "install"]);

    assert.deepEqual(run, { code: 0, stdout: `${line}\n`, stderr: "" });
  });
}

for (const wait of [[], ["--wait"]]) {
  test(`an install of what is there prints the ready line${wait.length === 0 ? "" : " with --wait, too"}`, async () => {
    const body = { operation: "install", version: "1.6.4", status: "ready", installedAt: "2025-10-10T10:30:00Z" };
    await using installer = await scriptInstaller({ install: { status: 200, body } });

    const run = await installer.sandbox.rad(["terraform", "install", "--version", "1.6.4", ...wait]);

    assert.deepEqual(run, { code: 0, stdout: "Terraform 1.6.4 ready (installed 2025-10-10T10:30Z)\n", stderr: "" });
    assert.equal(installer.requests().length, 1);
  });
}

test("every flag of an install reaches the control plane, and of the CA bundle only its certificates", async () => {
  const { cert, key } = createCa("a mirror's");
  await using installer = await scriptInstaller({ install: accepted() });
  const { sandbox } = installer;
  await writeFile(join(sandbox.home, "ca.pem"), `a comment\n${key}${cert}`);
  const url = "https://mirror.example.com/tofu.zip";
  const line = `terraform install --product opentofu --version 1.10.10 --url ${url} --checksum sha256:AB --ca-bundle ca.pem`;

  const { code, stderr } = await sandbox.rad(line.split(" "));

  assert.equal(code, 0, stderr);
  assert.deepEqual(
    installer.requests().map(({ body }) => body),
    [{ product: "opentofu", version: "1.10.10", source: { url, checksum: "sha256:AB", caBundle: cert } }],
  );
});

for (const [flags, message] of [
  ["--timeout 5m", "--timeout needs --wait: without it, the command waits for nothing."],
  ["--wait --timeout soon", '--timeout "soon" is not a duration. Write it as 90s, 30m or 1h30m.'],
  ["--wait --timeout -5s", '--timeout "-5s" is not a duration. Write it as 90s, 30m or 1h30m.'],
  ["--wait --timeout 0s", '--timeout "0s" leaves no time to wait. Give a longer one, or no --wait.'],
  [
    "--product pulumi",
    /option '--product <name>' argument 'pulumi' is invalid\. Allowed choices are terraform, opentofu\./,
  ],
  ["--ca-bundle nowhere.pem", /nowhere\.pem does not exist\./],
  ["--ca-bundle text.pem", /text\.pem holds no certificate/],
] as const) {
  test(`terraform install ${flags} is refused, and nothing is sent`, async () => {
    await using installer = await scriptInstaller({ install: accepted() });
    const { sandbox } = installer;
    await writeFile(join(sandbox.home, "text.pem"), "no certificate\n");

    const { code, stdout, stderr } = await sandbox.rad(["terraform", "install", ...flags.split(" ")]);

    assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
    assert.match(
      stderr,
      typeof message === "string" ? new RegExp(`^${RegExp.escape(message)}\nCode:  InvalidUsage`) : message,
    );
    assert.deepEqual(installer.requests(), []);
  });
}

test("an unverified archive is warned about on stderr", async () => {
  await using installer = await scriptInstaller({ install: accepted({ warning: "The archive is not verified." }) });

  const { stdout, stderr } = await installer.sandbox.rad(["terraform", "install", "--url", "https://m/t.zip"]);

  assert.equal(stdout, "Terraform 1.6.4 install started...\n");
  assert.equal(stderr, "Warning: The archive is not verified.\n");
});

test("--wait prints steps as plain lines where there is no terminal, and ends with the ready line", async () => {
  const installing = (members: JsonObject) =>
    statusOf({ ...nothingInstalled, state: "installing", queue: { pending: 0, inProgress: runningJob(members) } });
  await using installer = await scriptInstaller({
    install: accepted(),
    statuses: [
      installing({}),
      installing({ step: "download", bytes: 1_000_000, totalBytes: 20_000_000 }),
      installing({ step: "download", bytes: 1_500_000, totalBytes: 20_000_000 }),
      installing({ step: "download", bytes: 11_000_000, totalBytes: 20_000_000 }),
      installing({ step: "prove" }),
      statusOf({ history: [historyEntry()] }),
    ],
  });

  const run = await installer.sandbox.rad(["terraform", "install", "--version", "1.6.4", "--wait"]);

  assert.deepEqual(run, {
    code: 0,
    stdout: "Terraform 1.6.4 install started...\nTerraform 1.6.4 ready (installed 2025-10-10T10:30Z)\n",
    stderr: [
      "Terraform 1.6.4: install started",
      "Terraform 1.6.4: downloading 0% of 20.0 MB",
      "Terraform 1.6.4: downloading 50% of 20.0 MB",
      "Terraform 1.6.4: checking that it runs",
      "",
    ].join("\n"),
  });
});

test("--wait draws a bar with speed and time left on a terminal, and removes it", async () => {
  const bytes = [2_000_000, 10_000_000, 18_000_000];
  await using installer = await scriptInstaller({
    install: accepted(),
    statuses: [
      ...bytes.map((there) =>
        statusOf({
          state: "installing",
          queue: {
            pending: 0,
            inProgress: runningJob({ step: "download", bytes: there, totalBytes: 20_000_000 }),
          },
        }),
      ),
      statusOf({ history: [historyEntry()] }),
    ],
  });

  const { code, stdout, stderr } = await installer.sandbox.rad(["terraform", "install", "--wait"], {
    keyboard: new PassThrough(),
  });

  assert.equal(code, 0);
  assert.match(stdout, /ready \(installed 2025-10-10T10:30Z\)\n$/);
  const drawn = stderr.split("\r");
  assert.equal(drawn[1], "Terraform 1.6.4: downloading [##------------------] 10%  2.0 of 20.0 MB\u001b[K");
  assert.match(
    drawn[2] ?? "",
    /^Terraform 1\.6\.4: downloading \[#{10}-{10}\] 50% {2}10\.0 of 20\.0 MB {2}\d+\.\d MB\/s {2}\d+s left/,
  );
  assert.equal(drawn.at(-1), "\u001b[K");
});

test("--wait looks for its own job: an earlier one fails, a later one changes the state", async () => {
  const failure = historyEntry({ operationId: "op-0", version: "1.5.0", state: "failed", error: "no such release" });
  const own = historyEntry({ operationId: "op-1", version: "1.7.0", completedAt: "2025-10-10T10:31:00Z" });
  const later = historyEntry({ operationId: "op-2", operation: "uninstall", version: "1.7.0" });
  await using installer = await scriptInstaller({
    install: accepted({ version: "1.7.0", status: "queued", ahead: 1 }),
    statuses: [
      statusOf({ queue: { pending: 1, inProgress: runningJob({ operationId: "op-0", version: "1.5.0" }) } }),
      statusOf({ history: [failure], queue: { pending: 1, inProgress: null } }),
      statusOf({ history: [{ ...own, state: "running", completedAt: null }, failure] }),
      statusOf({ ...nothingInstalled, state: "not-installed", history: [later, own, failure] }),
    ],
  });

  const { code, stdout } = await installer.sandbox.rad(["terraform", "install", "--version", "1.7.0", "--wait"]);

  assert.equal(code, 0);
  assert.equal(
    stdout,
    "Terraform 1.7.0 install queued (1 ahead)\nTerraform 1.7.0 ready (installed 2025-10-10T10:31Z)\n",
  );
});

for (const [name, status, left] of [
  ["the version before", statusOf(), "Terraform 1.6.4 is still active."],
  ["an OpenTofu", statusOf({ product: "opentofu", currentVersion: "1.10.10" }), "OpenTofu 1.10.10 is still active."],
  [
    "nothing",
    statusOf({ ...nothingInstalled, state: "failed" }),
    "No version is active; correct the cause and install again.",
  ],
] as const) {
  test(`--wait says why an install failed, and that it left ${name}`, async () => {
    const error = "The checksum of the archive is another one.";
    const history = [historyEntry({ version: "1.7.0", state: "failed", error })];
    await using installer = await scriptInstaller({
      install: accepted({ version: "1.7.0" }),
      statuses: [{ ...status, history }],
    });

    const { code, stderr } = await installer.sandbox.rad(["terraform", "install", "--version", "1.7.0", "--wait"]);

    assert.equal(code, 1);
    const reason = "The checksum of the archive is another one";
    assert.equal(stderr, `Terraform 1.7.0 install failed: ${reason}. ${left}\nCode:  InstallFailed\n\n`);
  });
}

for (const [state, queue] of [
  ["running", { pending: 0, inProgress: runningJob() }],
  ["queued", { pending: 1, inProgress: runningJob({ operationId: "op-0" }) }],
] as const) {
  test(`--wait gives up after --timeout while the job is ${state}`, async () => {
    await using installer = await scriptInstaller({ install: accepted(), statuses: [statusOf({ queue })] });

    const line = ["terraform", "install", "--version", "1.6.4", "--wait", "--timeout", "300ms"];
    const { code, stderr } = await installer.sandbox.rad(line);

    assert.equal(code, 1);
    assert.match(
      stderr,
      new RegExp(
        `\nTimed out after 300ms waiting for Terraform 1\\.6\\.4\\. The install is still ${state}; check 'rad terraform status'\\.\nCode:  TimedOut\n\n$`,
      ),
    );
  });
}

test("Ctrl+C while waiting exits with 130 and says that the job goes on", async () => {
  const interrupt = new AbortController();
  await using installer = await scriptInstaller({
    install: accepted(),
    statuses: [statusOf({ queue: { pending: 0, inProgress: runningJob() } })],
    onRequest: (path) => {
      if (path.endsWith("status")) {
        setImmediate(() => interrupt.abort(new Error("SIGINT")));
      }
    },
  });

  const { code, stderr } = await installer.sandbox.rad(["terraform", "install", "--wait"], {
    signal: interrupt.signal,
  });

  assert.equal(code, 130);
  assert.match(stderr, /The install is still running; check 'rad terraform status'\.\n$/);
});

test("a control plane that is away for a moment is waited for", async () => {
  const away = { status: 503, body: { error: { code: "ServiceUnavailable", message: "starting" } } };
  await using installer = await scriptInstaller({
    install: accepted(),
    statuses: [away, away, away, away, statusOf({ history: [historyEntry()] })],
  });

  const { code, stderr } = await installer.sandbox.rad(["terraform", "install", "--wait"]);

  assert.equal(code, 0);
  assert.equal(stderr, "The control plane does not answer; waiting for it...\nThe control plane is back.\n");
});

test("a job that the control plane does not know is not waited for", async () => {
  await using installer = await scriptInstaller({ install: accepted(), statuses: [statusOf()] });

  const { code, stderr } = await installer.sandbox.rad(["terraform", "install", "--version", "1.6.4", "--wait"]);

  assert.equal(code, 1);
  assert.match(stderr, /does not know the install of Terraform 1\.6\.4 any more.*\nCode: {2}OperationLost/);
});

for (const [name, flags, answer, lines] of [
  ["prints the line of the design", [], accepted({ operation: "uninstall" }), "Terraform 1.6.4 uninstall started...\n"],
  [
    "with --wait says that it is gone",
    ["--wait"],
    accepted({ operation: "uninstall" }),
    "Terraform 1.6.4 uninstall started...\nTerraform 1.6.4 uninstalled\n",
  ],
  [
    "behind an install names the version once it is known",
    ["--wait"],
    accepted({ operation: "uninstall", version: null, status: "queued", ahead: 2 }),
    "Terraform uninstall queued (2 ahead)\nTerraform 1.6.4 uninstalled\n",
  ],
] as const) {
  test(`an uninstall ${name}`, async () => {
    const history = [historyEntry({ operation: "uninstall" })];
    await using installer = await scriptInstaller({
      uninstall: answer,
      statuses: [statusOf({ ...nothingInstalled, state: "not-installed", history })],
    });

    const run = await installer.sandbox.rad(["terraform", "uninstall", ...flags]);

    assert.deepEqual(run, { code: 0, stdout: lines, stderr: "" });
  });
}

test("an uninstall that an install overtook succeeds, and says what is there now", async () => {
  await using installer = await scriptInstaller({
    uninstall: accepted({ operation: "uninstall" }),
    statuses: [statusOf({ currentVersion: "1.7.0", history: [historyEntry({ operation: "uninstall" })] })],
  });

  const { code, stdout, stderr } = await installer.sandbox.rad(["terraform", "uninstall", "--wait"]);

  assert.equal(code, 0);
  assert.match(stdout, /\nTerraform 1\.6\.4 uninstalled\n$/);
  assert.equal(stderr, "Terraform 1.7.0 has been installed since.\n");
});

test("an uninstall of what is not there is done", async () => {
  const uninstall = { status: 404, body: { error: { code: "NotFound", message: "Terraform is not installed" } } };
  await using installer = await scriptInstaller({ uninstall, statuses: [statusOf({ state: "not-installed" })] });

  const run = await installer.sandbox.rad(["terraform", "uninstall", "--wait"]);

  assert.deepEqual(run, { code: 0, stdout: "Terraform is not installed\n", stderr: "" });
});

for (const [command, message] of [
  ["uninstall", "Terraform is in use by 2 active executions. Retry after executions complete."],
  ["install", "install in progress, retry after status shows Succeeded"],
] as const) {
  test(`a conflict of an ${command} is shown in the control plane's words`, async () => {
    const conflict = { status: 409, body: { error: { code: "Conflict", message } } };
    await using installer = await scriptInstaller({ install: conflict, uninstall: conflict });

    const { code, stdout, stderr } = await installer.sandbox.rad(["terraform", command, "--wait"]);

    assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
    assert.ok(stderr.startsWith(`Error: ${message}\nCode:  Conflict\n`), stderr);
  });
}

for (const [command, access, role] of [
  ["install", "write", "radius-admin"],
  ["uninstall", "write", "radius-admin"],
  ["status", "read", "radius-reader"],
] as const) {
  test(`terraform ${command} without permission names it`, async () => {
    await using installer = await scriptInstaller({ install: forbidden, uninstall: forbidden, statuses: [forbidden] });

    const { code, stderr } = await installer.sandbox.rad(["terraform", command]);

    assert.equal(code, 1);
    const advice = `Ask an administrator for a role that has it, such as ${role}.`;
    assert.ok(stderr.startsWith(`You need the permission Radius.Core/installer/${access}. ${advice}`), stderr);
  });

  test(`terraform ${command} says that a control plane without an installer must be upgraded`, async () => {
    const missing = { status: 404, body: { error: { code: "NotFound", message: "There is no such route." } } };
    await using installer = await scriptInstaller({ install: missing, uninstall: missing, statuses: [missing] });

    const { code, stderr } = await installer.sandbox.rad(["terraform", command]);

    assert.equal(code, 1);
    assert.match(
      stderr,
      /^The control plane at http:\S+ has no Terraform installer\. Upgrade the control plane, then run the command again\.\nCode: {2}InstallerMissing/,
    );
  });
}

test("status prints sentences, --history a table, -o table a row and -o json the document itself", async () => {
  const error = "404: not here";
  const failed = historyEntry({ version: "1.7.0", state: "failed", completedAt: "2025-10-10T11:05:10Z", error });
  const document = statusOf({ history: [failed, historyEntry()], lastError: error });
  await using installer = await scriptInstaller({ statuses: [document] });
  const { sandbox } = installer;
  const ready = "Terraform 1.6.4 ready (installed 2025-10-10T10:30Z)\n";
  const attempt = "Terraform 1.7.0 install failed 2025-10-10T11:05Z: 404: not here; 1.6.4 still active\n";

  assert.deepEqual(await sandbox.rad(["terraform", "status"]), { code: 0, stdout: `${ready}${attempt}`, stderr: "" });
  assert.equal(
    (await sandbox.rad(["terraform", "status", "--history"])).stdout,
    `${ready}${attempt}
PRODUCT    VERSION   OPERATION  STATE      STARTED               COMPLETED             REASON
terraform  1.7.0     install    Failed     2025-10-10T10:29:00Z  2025-10-10T11:05:10Z  404: not here
terraform  1.6.4     install    Succeeded  2025-10-10T10:29:00Z  2025-10-10T10:30:00Z  
`,
  );
  assert.equal(
    (await sandbox.rad(["terraform", "status", "-o", "table"])).stdout,
    `STATE     VERSION   PRODUCT    LAST UPDATED          LAST ERROR
ready     1.6.4     terraform  2025-10-10T10:30:00Z  404: not here
`,
  );
  assert.deepEqual(
    JSON.parse((await sandbox.rad(["terraform", "status", "--history", "-o", "json"])).stdout),
    document,
  );
});

for (const [state, code] of [
  ["ready", 0],
  ["not-installed", 1],
  ["installing", 1],
  ["failed", 1],
  ["pending-deletion", 1],
  ["uninstalling", 1],
] as const) {
  test(`status --exit-code ends with ${code} in the state ${state}, without it with 0`, async () => {
    await using installer = await scriptInstaller({ statuses: [statusOf({ state })] });
    const { sandbox } = installer;

    assert.equal((await sandbox.rad(["terraform", "status", "--exit-code"])).code, code);
    assert.equal((await sandbox.rad(["terraform", "status"])).code, 0);
  });
}

test("status --watch prints each change until no job is left", async () => {
  const installing = statusOf({
    state: "installing",
    queue: { pending: 0, inProgress: runningJob({ version: "1.7.0", startedAt: "2025-10-10T11:02:30Z" }) },
  });
  const statuses = [
    { ...installing, queue: { pending: 1, inProgress: runningJob({ version: "1.7.0" }) } },
    installing,
    installing,
    statusOf({ currentVersion: "1.7.0", installedAt: "2025-10-10T11:03:00Z" }),
  ];
  await using installer = await scriptInstaller({ statuses });

  const { code, stdout, stderr } = await installer.sandbox.rad(["terraform", "status", "--watch", "--exit-code"]);

  assert.equal(code, 0);
  assert.deepEqual(stdout.split("\n"), [
    "Terraform 1.7.0 installing (started 2025-10-10T10:29Z); 1.6.4 still active; 1 queued",
    "Terraform 1.7.0 installing (started 2025-10-10T11:02Z); 1.6.4 still active",
    "Terraform 1.7.0 ready (installed 2025-10-10T11:03Z)",
    "",
  ]);
  assert.equal(stderr, "Terraform 1.7.0: install started\n");
});

test("-o json prints one document, with what is said on the way on stderr", async () => {
  const done = statusOf({ history: [historyEntry()] });
  await using installer = await scriptInstaller({ install: accepted(), uninstall: accepted(), statuses: [done] });
  const { sandbox } = installer;

  const atOnce = await sandbox.rad(["terraform", "install", "-o", "json"]);
  const waited = await sandbox.rad(["terraform", "install", "--wait", "-o", "json"]);
  const watched = await sandbox.rad(["terraform", "status", "--watch", "-o", "json"]);

  assert.deepEqual(JSON.parse(atOnce.stdout), accepted().body);
  assert.deepEqual(JSON.parse(waited.stdout), done);
  assert.equal(waited.stderr, "Terraform 1.6.4 install started...\n");
  assert.deepEqual(JSON.parse(watched.stdout), done);
});

test("--version is the version of rad unless a command has one of its own", async () => {
  await using installer = await scriptInstaller({ install: accepted() });
  const { sandbox } = installer;

  assert.match((await sandbox.rad(["--version"])).stdout, /^rad \d/);
  assert.match((await sandbox.rad(["group", "list", "--version"])).stdout, /^rad \d/);
  assert.equal((await sandbox.rad(["terraform", "install", "--version=1.6.4"])).code, 0);
  assert.deepEqual(installer.requests()[0]?.body, { version: "1.6.4" });
});

test("a hostile status puts no control characters on the terminal", async () => {
  const evil = "\u001b]0;owned\u0007\u001b[31m1.0\nTerraform 9.9.9 ready";
  const history = [historyEntry({ version: evil, state: "failed", error: evil })];
  await using installer = await scriptInstaller({ statuses: [statusOf({ currentVersion: evil, history })] });

  const { stdout } = await installer.sandbox.rad(["terraform", "status", "--history"]);

  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f]/);
  assert.doesNotMatch(stdout, /^Terraform 9\.9\.9 ready/m);
});

test("flags and products are completed, each once", async () => {
  await using installer = await scriptInstaller({});
  const { sandbox } = installer;

  const flags = await sandbox.rad(["complete", "--", "terraform", "install", "--ver"]);
  const products = await sandbox.rad(["complete", "--", "terraform", "install", "--product", ""]);
  const files = await sandbox.rad(["complete", "--", "terraform", "install", "--ca-bundle", ""]);

  assert.match(flags.stdout, /^--version\tversion, such as 1\.6\.4.*\n--verbose\t.*\n:4\n$/);
  assert.equal(products.stdout, "terraform\t\nopentofu\t\n:4\n");
  assert.equal(files.stdout, ":0\n");
});
