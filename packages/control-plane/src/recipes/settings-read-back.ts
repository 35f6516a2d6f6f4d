import { objectMember } from "@rad/core";
import { listAll, type Store } from "@rad/store";
import type { TerraformSettings } from "@rad/terraform";

const type = "Radius.Core/terraformSettings";
const names: ReadonlySet<string> = new Set(["*", type.toLowerCase()]);

/** Settings that are looked at in one pass: whoever has more waits for some of them. */
const mostAtOnce = 100;

export interface SettingsReadBack extends Disposable {
  /** Reads what was not read before. */
  readAll(): Promise<void>;
}

/**
 * Reads the CLI configurations of settings back after a start and when settings were written, so that the first run with
 * them does not wait a tenth of a second for it. What cannot be read is told by the run, which looks for itself.
 */
export function readSettingsBack(store: Pick<Store, "list" | "subscribe">): SettingsReadBack {
  let reading: Promise<void> | undefined;
  let isOutdated = false;
  const readAll = async (): Promise<void> => {
    isOutdated = true;
    reading ??= readWhile(() => {
      const wasOutdated = isOutdated;
      isOutdated = false;
      return wasOutdated;
    }).finally(() => {
      reading = undefined;
    });
    await reading;
  };
  const readWhile = async (isNeeded: () => boolean): Promise<void> => {
    while (isNeeded()) {
      await readBack(store);
    }
  };
  const subscription = store.subscribe((event) => {
    if (event.kind === "document" && names.has(event.type)) {
      readAll().catch(() => {}); // the store is away
    }
  });
  return { readAll, [Symbol.dispose]: () => subscription[Symbol.dispose]() };
}

async function readBack(store: Pick<Store, "list">): Promise<void> {
  const { checkedTerraformrc } = await import("@rad/terraform"); // loaded when there is a use for it
  let count = 0;
  for await (const document of listAll((page) => store.list(page), { type, under: "/planes/radius" })) {
    const { terraformrc } = objectMember(await document.parsed(), "properties") as TerraformSettings;
    await checkedTerraformrc({ providerInstallation: terraformrc?.providerInstallation }).catch(() => {});
    count += 1;
    if (count === mostAtOnce) {
      return;
    }
  }
}
