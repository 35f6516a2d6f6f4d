import { realProvider, realProviderNames } from "./real-providers.ts";
import { builtTestProvider } from "./test-provider.ts";

export { realProvider } from "./real-providers.ts";
export type { RealProviderName } from "./real-providers.ts";
export { testProvider } from "./test-provider.ts";
export type { TestAttribute, TestBlock, TestProviderOptions } from "./test-provider.ts";

/** Builds all of them, so that no test waits for it. */
export async function buildProviders(): Promise<void> {
  await builtTestProvider();
  for (const name of realProviderNames) {
    await realProvider(name);
  }
}
