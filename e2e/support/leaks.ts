import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** A secret that is found wherever it ends up. */
export interface Canary {
  /** A part that no escaping changes, so finding it anywhere is a leak. */
  readonly marker: string;
  readonly value: string;
}

/** @param trap characters around the marker that are hard to escape */
export function canary(name: string, trap: string): Canary {
  const marker = `canary${name}${randomBytes(6).toString("hex")}`;
  return { marker, value: `${trap}${marker}${trap}` };
}

/** The marker, and forms of the whole value in which the marker cannot be read. */
function formsOf({ marker, value }: Canary): string[] {
  return [marker, Buffer.from(value).toString("base64").replace(/=+$/u, ""), Buffer.from(value).toString("hex")];
}

export function assertNoText(texts: readonly string[], canaries: readonly Canary[]): void {
  for (const form of canaries.flatMap(formsOf)) {
    const text = texts.find((each) => each.includes(form));
    const at = text?.indexOf(form) ?? 0;
    assert.equal(text?.slice(Math.max(0, at - 200), at + 100), undefined, `${form} is shown`);
  }
}

/** Executables are left out: they are large, and those of mirrors. Files may come and go meanwhile. */
export function assertNoFile(folder: string, canaries: readonly Canary[]): void {
  const forms = canaries.flatMap(formsOf);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const content = entry.isFile() ? readData(file) : undefined;
    for (const form of content === undefined ? [] : forms) {
      assert.ok(!content?.includes(form), `${form} is in ${file}`);
    }
  }
}

function readData(file: string): Buffer | undefined {
  try {
    return (statSync(file).mode & 0o111) === 0 ? readFileSync(file) : undefined;
  } catch {
    return undefined; // it is gone
  }
}

/** Arguments of all processes that can be seen. */
export function commandLines(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        return ""; // it has ended meanwhile
      }
    });
}
