import assert from "node:assert/strict";
import { test } from "node:test";
import { buildProgram } from "../program.ts";
import { createSandbox } from "../testing/sandbox.ts";
import { notInThisVersion } from "./not-in-this-version.ts";

for (const [line, message] of [
  ["help install", "`rad install` is not in this version. Use `rad server start`."],
  ["upgrade kubernetes --help", "`rad upgrade` is not in this version. Use `rad server restart`."],
  ["rollback kubernetes -o table", "`rad rollback` is not in this version. Nothing replaces it yet."],
  ["bicep publish", "`rad bicep publish` is not in this version. Nothing replaces it yet."],
] as const) {
  test(`rad ${line} says what to use today`, async () => {
    await using sandbox = await createSandbox();

    const { code, stdout, stderr } = await sandbox.rad(line.split(" "));

    assert.deepEqual(
      { code, stdout, stderr },
      { code: 1, stdout: "", stderr: `${message}\nCode:  NotInThisVersion\n\n` },
    );
  });
}

test("no command that exists is called missing, and what is named instead exists", async () => {
  const program = await buildProgram([], () => assert.fail("nothing is run"), true);
  for (const group of program.commands) {
    for (const leaf of group.commands.length === 0 ? [[]] : group.commands.map((command) => [command.name()])) {
      assert.equal(notInThisVersion([group.name(), ...leaf]), undefined, [group.name(), ...leaf].join(" "));
    }
  }
  for (const line of ["startup", "debug-logs", "uninstall"]) {
    const [, group = "", verb = ""] =
      /Use `rad ([^\s`]+) ?([^\s`]*)/.exec(notInThisVersion(line.split(" "))?.message ?? "") ?? [];
    const command = program.commands.find((one) => one.name() === group);
    assert.ok(command !== undefined, line);
    assert.ok(command.commands.length === 0 || command.commands.some((one) => one.name() === verb), line);
  }
});

for (const line of ["help install -o json", "bicep publish -o json", "help nosuch -o json"]) {
  test(`rad ${line} prints one document`, async () => {
    await using sandbox = await createSandbox();

    const { code, stdout, stderr } = await sandbox.rad(line.split(" "));

    const { error } = JSON.parse(stdout);
    assert.equal(code, 1);
    assert.equal(stderr, `${error.message}\nCode:  ${error.code}\n\n`);
  });
}
