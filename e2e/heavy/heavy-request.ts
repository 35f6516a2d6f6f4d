/** A request that costs the server much more than it costs the caller. */
export interface HeavyRequest {
  readonly name: string;
  readonly method: string;
  /** Below the server's URL, with its query. */
  readonly path: string;
  readonly body?: () => string | Buffer;
  /** Requests that have to come before it, and are not measured. */
  readonly before?: readonly HeavyRequest[];
  /** Whether the operation that the answer announces is part of it. */
  readonly untilEnded?: boolean;
}

export const heavyGroup = "/planes/radius/local/resourcegroups/heavy";

export function repeat(times: number, item: (index: number) => string, separator = ","): string {
  return Array.from({ length: times }, (_, index) => item(index)).join(separator);
}

/**
 * No turn of the event loop takes more than a quarter of a second of CPU time, measured in what the calibration takes on
 * the machine for which that is meant (12 ms).
 */
export const longestTurnInCalibrations = 250 / 12;
