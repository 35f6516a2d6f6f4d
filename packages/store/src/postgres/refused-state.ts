/** What a refused write raises: its message is a code of `StoreError` or `Reprint`, its detail is JSON. */
export const refusedState = "RAD00";
