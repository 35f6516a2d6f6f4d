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

/** Only a new request moves a resource out of a terminal state. */
export function isTerminal(state: ProvisioningState): boolean {
  switch (state) {
    case "Succeeded":
    case "Failed":
    case "Canceled":
      return true;
    case "Accepted":
    case "Creating":
    case "Updating":
    case "Deleting":
    case "Provisioning":
      return false;
    default:
      return state satisfies never; // a new state stops the build here
  }
}
