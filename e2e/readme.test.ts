import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { it } from "node:test";

const root = path.dirname(import.meta.dirname);

it("the README's quick start works as it is written", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "rad-home-"));
  const readme = await readFile(path.join(root, "README.md"), "utf8");
  const [, section = ""] = /## Quick start\n(.*?)\n## /s.exec(readme) ?? [];
  const commands = [...section.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = ""]) => block.trim().split("\n"));

  const results = new Map<string, { status: number | null; output: string }>();
  try {
    for (const command of commands) {
      results.set(command, shell(command.replace(/^\.\/rad server start$/, "$& --port 0"), home));
    }
  } finally {
    shell("./rad server stop", home);
    await rm(home, { recursive: true, force: true });
  }

  for (const [command, { status, output }] of results) {
    const refused = command.includes("broken");
    assert.equal(status, refused ? 1 : 0, `${command}\n${output}`);
  }
  const shown = output("resource show");
  assert.match(shown, /"moderatorKey": null/);
  assert.match(shown, /"retentionDays": 30/);
  assert.match(output("broken"), /\$\.properties\.title/);

  function output(part: string): string {
    const [, result] = [...results].find(([command]) => command.includes(part)) ?? [];
    return result?.output ?? "";
  }
});

it("rad demo runs to its end and leaves nothing behind", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "rad-home-"));
  const temporary = path.join(home, "tmp");
  await mkdir(temporary);

  const { status, output } = shell(`TMPDIR='${temporary}' ./rad demo`, home);

  const left = await readdir(home, { recursive: true });
  await rm(home, { recursive: true, force: true });
  assert.equal(status, 0, output);
  assert.deepEqual(left, ["tmp"]);
});

function shell(command: string, home: string): { status: number | null; output: string } {
  const env = { ...process.env, HOME: home, RADIUS_TOKEN: undefined };
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { cwd: root, env, encoding: "utf8" });
  return { status, output: stdout + stderr };
}
