export type Labels = Readonly<Record<string, string | number | boolean>>;

export interface InstrumentOptions {
  readonly description: string;
  /** In UCUM: `s`, `By`. */
  readonly unit?: string;
}

export interface HistogramOptions extends InstrumentOptions {
  /** Upper bounds of the buckets, ascending. */
  readonly buckets: readonly number[];
}

export interface Counter {
  add(amount: number, labels?: Labels): void;
}

export interface Histogram {
  record(value: number, labels?: Labels): void;
}

export interface Observation {
  readonly value: number;
  readonly labels?: Labels;
}

/**
 * Named instruments. Asking for the same name again gives the same instrument, so a module makes its own where it needs
 * them. Labels have few values, never an id: each combination is a time series.
 */
export interface Metrics {
  counter(name: string, options: InstrumentOptions): Counter;
  histogram(name: string, options: HistogramOptions): Histogram;
  /** `read` is called whenever the metrics are collected; when it fails, the gauge is left out. */
  gauge(name: string, options: InstrumentOptions, read: () => Promise<readonly Observation[]>): void;
}

export const noMetrics: Metrics = {
  counter: () => ({ add: () => {} }),
  histogram: () => ({ record: () => {} }),
  gauge: () => {},
};
