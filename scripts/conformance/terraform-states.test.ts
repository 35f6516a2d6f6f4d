import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { compareStateFolder } from "./compare-state-folder.ts";

const states = path.join(import.meta.dirname, "states");

it("ids from Terraform states equal the rows of the folder", () => {
  const script = path.join(import.meta.dirname, "terraform-states.ts");
  const { status, stdout } = spawnSync(process.execPath, [script, states], { encoding: "utf8" });
  assert.deepEqual({ status, stdout }, { status: 0, stdout: "ids: 8 of 8 resources equal, 0 extra\n" });
});

// [what, change of the rows, lines before the last, last line]
for (const [what, change, differences, summary] of [
  [
    "another id",
    (rows) => Object.assign(rowOf(rows, "random_id.suffix"), { expectedId: "/planes/x" }),
    ["001-shop.json  random_id.suffix: gives none, expected /planes/x"],
    "ids: 7 of 8 resources equal, 0 extra",
  ],
  [
    "another id without a scope",
    (rows) => Object.assign(rowOf(rows, "aws_s3_bucket.files"), { withoutScope: "/planes/x" }),
    ["001-shop.json  aws_s3_bucket.files: gives none without a scope, expected /planes/x"],
    "ids: 7 of 8 resources equal, 0 extra",
  ],
  [
    "an id that no row accounts for",
    (rows) => rows.splice(rows.indexOf(rowOf(rows, "module.web.kubernetes_deployment_v1.web")), 1),
    ["001-shop.json  extra or out of order: /planes/kubernetes/local/namespaces/shop/providers/apps/Deployment/web"],
    "ids: 7 of 7 resources equal, 1 extra",
  ],
  [
    "a resource that is not there",
    (rows) => rows.push({ ...rowOf(rows, "random_id.suffix"), address: "random_id.other" }),
    ["001-shop.json  random_id.other: the state has no such resource"],
    "ids: 8 of 9 resources equal, 0 extra",
  ],
  [
    "an id that the list should have twice",
    (rows) => delete rowOf(rows, 'module.queue["eu"].aws_sqs_queue.copy')["duplicateOf"],
    [
      '001-shop.json  module.queue["eu"].aws_sqs_queue.copy: the list of the state lacks ' +
        "/planes/aws/aws/accounts/111122223333/regions/eu-central-1/providers/AWS.sqs/queue/Orders",
    ],
    "ids: 7 of 8 resources equal, 0 extra",
  ],
  [
    "the deposed instance for the current one",
    (rows) => delete rows.find((row) => "deposedKey" in row)?.["deposedKey"],
    [
      '001-shop.json  module.queue["eu"].aws_sqs_queue.orders: gives ' +
        "/planes/aws/aws/accounts/111122223333/regions/eu-central-1/providers/AWS.sqs/queue/orders, expected none",
    ],
    "ids: 7 of 8 resources equal, 0 extra",
  ],
] as readonly (readonly [string, (rows: JsonObject[]) => unknown, readonly string[], string])[]) {
  it(`prints the difference and fails: ${what}`, async () => {
    await withRows(change, async (folder) => {
      assert.deepEqual(await compared(folder), { isEqual: false, lines: [...differences, summary] });
    });
  });
}

it("a document that cannot be read differs in all of its resources", async () => {
  await withRows(
    (rows) => rows.push({ file: "003-none.json", address: "a.b", expectedId: null }),
    async (folder) => {
      const { isEqual, lines } = await compared(folder);
      assert.equal(isEqual, false);
      assert.match(lines[0] ?? "", /^003-none\.json {2}a\.b: ENOENT/u);
      assert.equal(lines.at(-1), "ids: 8 of 9 resources equal, 0 extra");
    },
  );
});

it("a folder without rows, and a row that is none, are refused", async () => {
  await assert.rejects(compared(import.meta.dirname), /expected\.json/u);
  await withRows(
    (rows) => delete rows[1]?.["file"],
    async (folder) => {
      await assert.rejects(compared(folder), /expected\.json: row 2 needs 'file'/u);
    },
  );
});

async function compared(folder: string): Promise<{ isEqual: boolean; lines: string[] }> {
  const lines: string[] = [];
  const isEqual = await compareStateFolder(folder, (line) => lines.push(line));
  return { isEqual, lines };
}

function rowOf(rows: readonly JsonObject[], address: string): JsonObject {
  return rows.find((row) => row["address"] === address) ?? assert.fail(address);
}

async function withRows(
  change: (rows: JsonObject[]) => unknown,
  use: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "rad-states-"));
  try {
    await cp(states, folder, { recursive: true });
    const rows = JSON.parse(await readFile(path.join(states, "expected.json"), "utf8")) as JsonObject[];
    change(rows);
    await writeFile(path.join(folder, "expected.json"), JSON.stringify(rows));
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
