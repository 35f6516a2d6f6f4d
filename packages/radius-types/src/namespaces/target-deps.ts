import type { ObjectTarget } from "@rad/kubernetes";

/** What handlers of synchronous types reach Kubernetes through. */
export interface TargetDeps {
  /** Where objects go; opened at the first call. @throws ApiError when it cannot be opened. */
  target(): Promise<ObjectTarget>;
}
