interface RequestMeasurement {
  readonly method: string;
  /** The class of the route, of which there are few; never the path itself. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}

interface OperationMeasurement {
  readonly type: string;
  readonly kind: string;
  readonly outcome: string;
  readonly durationMs: number;
}

interface QueueDepth {
  readonly queue: string;
  readonly state: string;
  readonly count: number;
}

/** What the server measures about itself. */
export interface Metrics {
  recordRequest(request: RequestMeasurement): void;
  recordOperation(operation: OperationMeasurement): void;
  /** `read` is asked whenever somebody looks at the metrics; a failure leaves the depths out. */
  observeOperationDepth(read: () => Promise<readonly QueueDepth[]>): void;
}

export const noMetrics: Metrics = {
  recordRequest: () => {},
  recordOperation: () => {},
  observeOperationDepth: () => {},
};
