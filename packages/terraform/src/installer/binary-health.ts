import { access } from "node:fs/promises";
import { productNames } from "../product.ts";
import { type Health, isBusy, restingState, usableBinary } from "../status/installer-record.ts";
import type { InstallerRecords } from "../status/installer-records.ts";
import type { BinaryVolume, InstalledBinary } from "../volume/binary-volume.ts";

/** Looks after the active binary, which may be lost or damaged behind our back. */
export class BinaryHealth {
  readonly #volume: BinaryVolume;
  readonly #records: InstallerRecords;
  readonly #checks = new Map<string, Promise<Health>>();

  constructor(volume: BinaryVolume, records: InstallerRecords) {
    this.#volume = volume;
    this.#records = records;
  }

  /** Reads and runs the file, off the main path. Those who ask at the same time share one look. */
  check(binary: InstalledBinary): Promise<Health> {
    const { path, sha256 } = binary;
    const key = `${path} ${sha256}`;
    const running = this.#checks.get(key);
    if (running !== undefined) {
      return running;
    }
    const check = this.#look(binary).finally(() => this.#checks.delete(key));
    this.#checks.set(key, check);
    return check;
  }

  /**
   * Stores how the active binary is, unless a job is at work on it.
   * @param look a thorough one, or just whether the file is there
   */
  async note(look: "whole" | "quick"): Promise<void> {
    const { record } = await this.#records.read();
    const { current } = record;
    if (current === undefined || isBusy(record)) {
      return;
    }
    const isThere = await exists(current.path);
    if (look === "quick" && isThere === (record.health !== "missing")) {
      return;
    }
    await this.store(current, isThere ? await this.check(current) : "missing");
  }

  async store(binary: InstalledBinary, health: Health): Promise<void> {
    await this.#records.update((record) => {
      const isSame = record.current?.sha256 === binary.sha256 && record.current.path === binary.path;
      if (!isSame || isBusy(record) || record.health === health) {
        return { result: undefined };
      }
      const changed = { ...record, health };
      const { lastError: _, ...healed } = changed;
      const next = usableBinary(changed) === undefined ? { ...changed, lastError: lossText(binary, health) } : healed;
      return { result: undefined, record: { ...next, state: restingState(next) } };
    });
  }

  async #look(binary: InstalledBinary): Promise<Health> {
    if (await this.#volume.isHealthy(binary)) {
      return "healthy";
    }
    return (await exists(binary.path)) ? "damaged" : "missing";
  }
}

function lossText({ product, version, path }: InstalledBinary, health: Health): string {
  const name = `${productNames[product]} ${version}`;
  const what = health === "missing" ? "is missing" : "is damaged";
  const choice = product === "terraform" ? "" : ` --product ${product}`;
  return `${name} ${what} at ${path}. Run 'rad terraform install${choice} --version ${version}' to install it again.`;
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
