import assert from "node:assert/strict";
import { it } from "node:test";
import type { Store, StoreEvent } from "@rad/store";
import { readSettingsBack } from "./settings-read-back.ts";

/** A store with these settings, which counts how often they are listed. */
function storeOf(settings: readonly object[]) {
  const listeners = new Set<(event: StoreEvent) => void>();
  const counts = { lists: 0 };
  const store = {
    list: async () => {
      counts.lists += 1;
      return { items: settings.map((properties) => ({ parsed: async () => ({ properties }) })), next: undefined };
    },
    subscribe: (listener: (event: StoreEvent) => void) => {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  } as unknown as Pick<Store, "list" | "subscribe">;
  return { store, counts, tell: (event: StoreEvent) => listeners.forEach((listener) => listener(event)) };
}

const mirror = (url: string) => ({ terraformrc: { providerInstallation: { networkMirror: { url } } } });

it("looks at settings when they are written, once for writes that come together, and not for other documents", async () => {
  const { store, counts, tell } = storeOf([mirror("https://mirror.example/"), {}]);
  using settings = readSettingsBack(store);

  tell({ kind: "document", type: "radius.core/environments" });
  assert.equal(counts.lists, 0);
  for (let write = 0; write < 10; write += 1) {
    tell({ kind: "document", type: "radius.core/terraformsettings" });
  }
  await settings.readAll();

  assert.ok(counts.lists >= 1 && counts.lists <= 3, String(counts.lists));
});

it("settings that cannot be used do not keep it from the others", async () => {
  const { store } = storeOf([mirror("no address"), mirror("https://mirror.example/")]);
  using settings = readSettingsBack(store);

  await settings.readAll();
});
