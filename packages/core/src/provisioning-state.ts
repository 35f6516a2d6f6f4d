export const ProvisioningState = {
  Accepted: "Accepted",
  Creating: "Creating",
  Updating: "Updating",
  Deleting: "Deleting",
  Provisioning: "Provisioning",
  Succeeded: "Succeeded",
  Failed: "Failed",
  Canceled: "Canceled",
} as const;
export type ProvisioningState = (typeof ProvisioningState)[keyof typeof ProvisioningState];

export function isProvisioningState(text: string): text is ProvisioningState {
  return Object.hasOwn(ProvisioningState, text);
}

const terminal: ReadonlySet<string> = new Set(["succeeded", "failed", "canceled"]);

/**
 * Whether a resource, an operation or a deployment in this state has ended: only a new request moves it on. In any
 * letter case, as clients have to read these words.
 */
export function isTerminal(state: string): boolean {
  return terminal.has(state.toLowerCase());
}
