import { until } from "@rad/core/testing";

/**
 * Resolves when this process has no more sockets, servers and timers than before. Take `before` after a first use, when what
 * is kept for good (such as idle connections of another client) is there.
 */
export async function untilNothingIsLeft(before: readonly string[]): Promise<void> {
  const isKept = (name: string): boolean => /TCP|TLS|Timeout|Server|Pipe/.test(name);
  const expected = before.filter(isKept).length;
  let left: readonly string[] = [];
  await until(
    () => `no more is open than ${before.join(", ")}; there are ${left.join(", ")}`,
    () => {
      left = process.getActiveResourcesInfo();
      // The pause of `until` itself is over when this looks.
      return left.filter(isKept).length <= expected;
    },
  );
}
