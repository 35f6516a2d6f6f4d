import { startModuleRegistry, startProviderRegistry } from "@rad/terraform/testing";
import type { ModuleRegistry, ProviderRegistry, PublishedProvider } from "@rad/terraform/testing";
import { testProvider } from "@rad/terraform/testing/providers";
import { databases } from "../support/database.ts";
import type { TestDatabase } from "../support/database.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { bucketModule, bucketProvider } from "./bucket-module.ts";
import { openRecipeRig } from "./recipe-rig.ts";
import type { RecipeRig } from "./recipe-rig.ts";

/** A control plane, and both places that providers come from: a mirror, and the public registry. */
export interface DownloadRig extends AsyncDisposable {
  readonly rig: RecipeRig;
  readonly publicRegistry: ProviderRegistry;
  /** A registry of modules that asks for no token: `recipeConfig` has no place for one. */
  readonly modules: ModuleRegistry;
  /** Variables with which a run reaches the public registry. */
  readonly network: Readonly<Record<string, string>>;
  readonly database: TestDatabase;
  readonly server: ServerProcess;
  /** Publishes the provider of the bucket module on the mirror and in the public registry. */
  publishProvider(version: string): Promise<Record<"ofMirror" | "ofRegistry", PublishedProvider>>;
}

export async function openDownloadRig(): Promise<DownloadRig> {
  await using stack = new AsyncDisposableStack();
  const rig = stack.use(await openRecipeRig());
  const publicRegistry = stack.use(await startProviderRegistry({ ca: rig.ca }));
  const modules = stack.use(await startModuleRegistry({ ca: rig.ca }));
  const publishProvider: DownloadRig["publishProvider"] = async (version) => {
    const provider = await testProvider({ ...bucketProvider, version, cloud: rig.cloud });
    return { ofMirror: rig.mirror.publish(provider), ofRegistry: await publicRegistry.publish(provider) };
  };
  await publishProvider("5.90.0");
  modules.publish("acme/bucket/aws", "1.0.0", { "main.tf": bucketModule });
  const database = stack.use(await databases.sqlite());
  const server = stack.use(await database.startServer(rig.config(database.folder)));
  await rig.prepare(server);
  const owned = stack.move();
  return {
    rig,
    publicRegistry,
    modules,
    network: { SSL_CERT_FILE: rig.caFile, HTTPS_PROXY: publicRegistry.proxyUrl },
    database,
    server,
    publishProvider,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
