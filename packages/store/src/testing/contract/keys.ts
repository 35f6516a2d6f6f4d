import type { SealingKey } from "../../sealing/key-ring.ts";

/** The key that a fixture opens with at first. */
export const oldKey: SealingKey = { id: "old", secret: new Uint8Array(32).fill(1) };
export const newKey: SealingKey = { id: "new", secret: new Uint8Array(32).fill(2) };
