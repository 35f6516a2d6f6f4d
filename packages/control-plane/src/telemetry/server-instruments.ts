import type { Labels, Metrics } from "@rad/core";

export interface RequestMeasurement {
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
export interface ServerInstruments {
  recordRequest(request: RequestMeasurement): void;
  recordOperation(operation: OperationMeasurement): void;
  /** Refused requests that the audit log does not have. */
  recordLostRefusals(count: number): void;
  /** A call to the database that failed; `code` is the store's. */
  recordDatabaseError(code: string): void;
  /** An operation that another worker has taken over. */
  recordLostLease(queue: string): void;
  observeOperationDepth(read: () => Promise<readonly QueueDepth[]>): void;
  observeDeployments(read: () => Promise<readonly { readonly state: string; readonly count: number }[]>): void;
}

/** Seconds. What OpenTelemetry advises for HTTP servers, and longer ones for operations, which may run for an hour. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const operationBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

export function createServerInstruments(metrics: Metrics): ServerInstruments {
  const requests = metrics.histogram("http.server.request.duration", {
    description: "Duration of HTTP requests.",
    unit: "s",
    buckets: requestBuckets,
  });
  const operations = metrics.histogram("radius.operations.duration", {
    description: "Duration of asynchronous operations, all attempts together.",
    unit: "s",
    buckets: operationBuckets,
  });
  const lostRefusals = metrics.counter("radius.audit.lost_refusals", {
    description: "Refused requests that could not be put on the audit log.",
  });
  const databaseErrors = metrics.counter("radius.database.errors", {
    description: "Calls to the database that failed, by the store's code.",
  });
  const lostLeases = metrics.counter("radius.operations.lost_leases", {
    description: "Operations that another worker took over, because their lease ran out.",
  });
  const knownLabels = new Map<string, Labels>();
  /** Made once for each combination, of which there are few. */
  const requestLabels = (method: string, route: string, status: number): Labels => {
    const name = `${method} ${status} ${route}`;
    let labels = knownLabels.get(name);
    if (labels === undefined) {
      labels = Object.freeze({
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
      });
      knownLabels.set(name, labels);
    }
    return labels;
  };
  return {
    recordDatabaseError: (code) => databaseErrors.add(1, { "error.type": code }),
    recordLostLease: (queue) => lostLeases.add(1, { queue }),
    observeDeployments: (read) => {
      metrics.gauge("radius.deployments", { description: "Deployments that have not ended, by state." }, async () =>
        (await read()).map(({ count, ...labels }) => ({ value: count, labels })),
      );
    },
    recordLostRefusals: (count) => lostRefusals.add(count),
    recordRequest: ({ method, route, status, durationMs }) => {
      requests.record(durationMs / 1000, requestLabels(method, route, status));
    },
    recordOperation: ({ durationMs, ...labels }) => operations.record(durationMs / 1000, labels),
    observeOperationDepth: (read) => {
      metrics.gauge("radius.operations.depth", { description: "Operations per queue and state." }, async () =>
        (await read()).map(({ count, ...labels }) => ({ value: count, labels })),
      );
    },
  };
}
