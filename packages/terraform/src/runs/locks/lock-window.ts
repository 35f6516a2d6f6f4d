/** When a command took the lock on its state, by the clock of the machine it ran on. */
export interface LockWindow {
  readonly from: string;
  /** Absent while nobody knows. */
  readonly to?: string;
}
