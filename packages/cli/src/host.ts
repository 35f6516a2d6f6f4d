import type { Readable, Writable } from "node:stream";
import type { PackageType } from "@rad/resource-types/bicep";

export interface OutputStream extends Writable {
  readonly isTTY?: boolean;
  /** Of a terminal; 0 where nobody has told it its size. */
  readonly columns?: number;
  readonly rows?: number;
}

export interface InputStream extends Readable {
  readonly isTTY?: boolean;
}

/** Everything of the surrounding process that a command may touch. */
export interface CliHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Aborted by the first Ctrl+C or SIGTERM; commands clean up and end. */
  readonly signal: AbortSignal;
  /**
   * Loads the types of `extension radius`; called only for files that declare it. Without it their resources take any
   * properties.
   */
  readonly radiusTypes?: (() => Promise<readonly PackageType[]>) | undefined;
}
