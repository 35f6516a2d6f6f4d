import type { Clock } from "@rad/core";
import type { CallOptions, ObjectTarget } from "@rad/kubernetes";
import type { PublicEndpoint } from "./renderer.ts";

/** What the handlers of rendered types reach the world through. */
export interface RenderingDeps {
  /** Where objects go; opened at the first call. @throws ApiError when it cannot be opened. */
  target(): Promise<ObjectTarget>;
  /** Where gateways are reached from outside. @throws ApiError when the target cannot be asked. */
  publicEndpoint(options: CallOptions): Promise<PublicEndpoint | undefined>;
  readonly clock: Clock;
}
