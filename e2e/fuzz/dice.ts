import type { JsonObject, JsonValue } from "@rad/core";
import { seededRandom } from "../support/random.ts";

/** Choices that look random and are the same for the same seed. */
export class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** From 0 to `below`, without it. */
  number(below: number): number {
    return Math.floor(this.#random() * below);
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.number(items.length)];
    if (item === undefined) {
      throw new Error("nothing to choose from");
    }
    return item;
  }

  times<Item>(atMost: number, item: (index: number) => Item): Item[] {
    return Array.from({ length: this.number(atMost + 1) }, (_, index) => item(index));
  }

  /** One of the ways to go on; those that lead deeper are left out when there is no depth left. */
  grow<Item>(depth: number, leaves: readonly (() => Item)[], branches: readonly (() => Item)[]): Item {
    return this.pick(depth <= 0 || this.chance(0.4) ? leaves : branches)();
  }

  json(depth = 4): JsonValue {
    return this.grow<JsonValue>(
      depth,
      [
        () => null,
        () => this.chance(0.5),
        () => this.number(1_000) - 500,
        () => this.pick([0.5, -0, 1e300, 2 ** 53, 1e-9]),
        () => this.text(),
      ],
      [() => this.times(5, () => this.json(depth - 1)), () => this.object(depth - 1)],
    );
  }

  object(depth = 3): JsonObject {
    return Object.fromEntries(this.times(5, () => [this.key(), this.json(depth)]));
  }

  key(): string {
    return this.pick(["a", "name", "properties", "x", "environment", "location", "tags", "type", "id", this.text()]);
  }

  text(): string {
    return this.pick([
      "",
      "a",
      "global",
      "[concat('a', 'b')]",
      "[[escaped]",
      "[",
      "é漢😀",
      "\u0000\u0007",
      "../..",
      "%2e%2e",
      "x".repeat(this.number(300)),
      "/planes/radius/local/resourcegroups/g1/providers/Radius.Fuzz/things/a",
      "__proto_",
      "-1",
    ]);
  }

  /** Bytes that are almost the same. */
  damage(bytes: Buffer): Buffer {
    if (bytes.length === 0) {
      return bytes;
    }
    const at = this.number(bytes.length);
    const kinds: readonly (() => Buffer)[] = [
      () => bytes.subarray(0, at),
      () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
      () => Buffer.concat([bytes.subarray(0, at), Buffer.from([this.number(256)]), bytes.subarray(at)]),
      () =>
        Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from(this.pick(['"', "{", "}", "[", "]", ",", ":", "\\"])),
          bytes.subarray(at),
        ]),
      () => Buffer.concat([bytes, bytes.subarray(at)]),
      () => {
        const copy = Buffer.from(bytes);
        copy[at] = (copy[at] ?? 0) ^ (1 << this.number(8));
        return copy;
      },
    ];
    return this.pick(kinds)();
  }
}
