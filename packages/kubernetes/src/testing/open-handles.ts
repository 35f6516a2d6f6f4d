import { until } from "@rad/core/testing";

/**
 * Resolves when this process has no more sockets, servers and timers of any kind than before.
 * @param before what `process.getActiveResourcesInfo()` gave
 */
export async function untilNothingIsLeft(before: readonly string[]): Promise<void> {
  let more: string[] = [];
  await until(
    () => `no more is open than before; there is ${more.join(", ")}`,
    () => {
      const allowed = [...before];
      more = process.getActiveResourcesInfo().filter((name) => {
        const index = allowed.indexOf(name);
        allowed.splice(index, index < 0 ? 0 : 1);
        return index < 0 && /TCP|TLS|Timeout|Server|Pipe/.test(name);
      });
      return more.length === 0;
    },
  );
}
