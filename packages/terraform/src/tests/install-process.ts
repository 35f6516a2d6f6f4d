/** A process that installs what its argument says, in JSON, and prints why that failed, or `installed`. */
import { systemClock } from "@rad/core";
import { createBinaryVolume } from "../volume/disk-volume.ts";
import { InstallError } from "../install-error.ts";

export interface ProcessOrder {
  readonly root: string;
  readonly caBundle: string;
  readonly url: string;
}

const { root, caBundle, url } = JSON.parse(process.argv[2] ?? "") as ProcessOrder;
const volume = createBinaryVolume({ root, caBundle, clock: systemClock });
try {
  await volume.install({ product: "terraform", url }, { signal: AbortSignal.timeout(60_000) });
  process.stdout.write("installed");
} catch (error) {
  if (!(error instanceof InstallError)) {
    throw error;
  }
  process.stdout.write(`${error.code}: ${error.message}`);
}
