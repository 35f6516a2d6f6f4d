import type { Counter, Histogram, HistogramOptions, InstrumentOptions, Metrics, Observation } from "@rad/core";

/**
 * Instruments that can be used before the library behind them is loaded. Measurements until then are kept, so `use` has
 * to be called soon after requests are let in.
 */
export class LateMetrics implements Metrics {
  #target: Metrics | undefined;
  #kept: ((target: Metrics) => void)[] = [];

  /** Passes on what has been measured so far, and everything from now on. */
  use(target: Metrics): void {
    this.#target = target;
    const kept = this.#kept;
    this.#kept = [];
    kept.forEach((pass) => pass(target));
  }

  counter(name: string, options: InstrumentOptions): Counter {
    let counter: Counter | undefined;
    this.#pass((target) => (counter = target.counter(name, options)));
    return {
      add: (amount, labels) =>
        counter === undefined ? this.#pass(() => counter?.add(amount, labels)) : counter.add(amount, labels),
    };
  }

  histogram(name: string, options: HistogramOptions): Histogram {
    let histogram: Histogram | undefined;
    this.#pass((target) => (histogram = target.histogram(name, options)));
    return {
      record: (value, labels) =>
        histogram === undefined ? this.#pass(() => histogram?.record(value, labels)) : histogram.record(value, labels),
    };
  }

  gauge(name: string, options: InstrumentOptions, read: () => Promise<readonly Observation[]>): void {
    this.#pass((target) => target.gauge(name, options, read));
  }

  #pass(pass: (target: Metrics) => void): void {
    if (this.#target === undefined) {
      this.#kept.push(pass);
    } else {
      pass(this.#target);
    }
  }
}
