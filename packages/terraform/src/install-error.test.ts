import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ArtifactError } from "@rad/artifacts";
import { asInstallError, InstallError } from "./install-error.ts";

test("docs/errors.md explains every reason of a failed install", () => {
  const source = readFileSync(new URL("install-error.ts", import.meta.url), "utf8");
  const page = readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8");
  const codes = [...source.matchAll(/^ {2}\| "(\w+)"/gm)].map(([, code = ""]) => code);

  assert.ok(codes.length > 10);
  assert.deepEqual(
    codes.filter((code) => !page.includes(`| \`${code}\``)),
    [],
  );
});

test("bugs and the reasons of signals stay what they are", () => {
  const bug = new TypeError("undefined is not a function");
  const cancelled = new DOMException("cancelled", "AbortError");

  assert.equal(asInstallError(bug, "/volume"), bug);
  assert.equal(asInstallError(cancelled, "/volume"), cancelled);
});

test("a volume that cannot be locked is told with the reason of the system, or with the file", () => {
  const denied = Object.assign(new Error("no"), { code: "EROFS" });
  const unwritable = asInstallError(new ArtifactError("LockFailed", "x.lock", { cause: denied }), "/volume");
  const strange = asInstallError(new ArtifactError("LockFailed", "x.lock cannot be used as a lock file."), "/volume");

  assert.ok(unwritable instanceof InstallError && strange instanceof InstallError);
  assert.deepEqual([unwritable.code, strange.code], ["VolumeUnusable", "VolumeUnusable"]);
  assert.match(unwritable.message, /EROFS/);
  assert.match(strange.message, /x\.lock/);
});
