import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ModuleFactory } from "@rad/modules";
import type { ServerConfig } from "../config/index.ts";
import { dataDirectory } from "../open-store.ts";
import type { SharedParts } from "../shared-parts.ts";
import { installerRoutes } from "./installer-routes.ts";
import { stateRoutes } from "./state-routes.ts";

/**
 * The installer, with a queue of its own: long operations of others do not delay it, nor it them. And the states of
 * recipes that have no other backend.
 */
export function terraformModule(config: ServerConfig, shared: SharedParts): ModuleFactory {
  return {
    name: "terraform",
    create: async (parts) => {
      // A server listens before.
      const { createBinaryVolume, StateBackend, StateReaders, TerraformInstaller, urlSecrets } =
        await import("@rad/terraform");
      const settings = config.terraform.installer;
      const { root = join(dataDirectory(config), "terraform"), opentofu } = settings;
      const sources = { terraform: sourceOf(settings), opentofu: sourceOf(opentofu) };
      for (const { baseUrl, indexUrl } of Object.values(sources)) {
        parts.redactor.add([...urlSecrets(baseUrl), ...urlSecrets(indexUrl)]);
      }
      const volume = createBinaryVolume({
        root,
        clock: parts.clock,
        sources,
        caBundle: settings.caBundle === undefined ? undefined : await readFile(settings.caBundle, "utf8"),
        proxy: { env: process.env },
        limits: {
          maxArchiveBytes: settings.maxArchiveBytes,
          maxBinaryBytes: settings.maxBinaryBytes,
          idleMs: settings.idleSeconds * 1_000,
          downloadMs: settings.timeoutMinutes * 60_000,
        },
      });
      const installer = new TerraformInstaller({
        ...parts,
        volume,
        timeoutMs: settings.timeoutMinutes * 60_000,
        drainMs: settings.drainSeconds * 1_000,
        leaseMs: config.operations.leaseSeconds * 1_000,
        pullFrom: settings.pullFrom,
      });
      shared.installer.set(installer);
      const readers = new StateReaders();
      shared.stateReaders.set(readers);
      return {
        routes: [...installerRoutes(installer), ...stateRoutes(new StateBackend({ ...parts, readers }))],
        workers: [
          {
            queues: [{ name: installer.queue, concurrency: 1, fifo: true }],
            executor: installer.executor,
            slots: 1,
            maxAttempts: 10, // for what is no failure of the job, such as a database that is away
          },
        ],
        housekeeping: () => installer.housekeeping(),
        [Symbol.asyncDispose]: async () => installer[Symbol.dispose](),
      };
    },
  };
}

type ReleaseSettings = Pick<
  ServerConfig["terraform"]["installer"]["opentofu"],
  "defaultSourceUrl" | "indexUrl" | "keys"
>;

function sourceOf({ defaultSourceUrl, indexUrl, keys }: ReleaseSettings) {
  return { baseUrl: defaultSourceUrl, indexUrl, keys };
}
