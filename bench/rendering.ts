import { goldenContext, goldenResource, goldenTypes } from "@rad/radius-types/testing";
import type { GoldenCase, GoldenType } from "@rad/radius-types/testing";
import { median, type Measurement } from "./report.ts";

const rounds = 5;
const rendersPerRound = 200;

/** CPU time that a container takes from its properties to the objects: of all golden cases, and of the dearest one. */
export function measureRendering(): Measurement[] {
  const golden = goldenTypes.find(({ type }) => type.name === "Applications.Core/containers");
  if (golden === undefined) {
    throw new Error("there are no golden cases of containers");
  }
  const costs = golden.cases.map((one) => ({ name: one.name, milliseconds: costOf(golden, one) }));
  const dearest = costs.reduce((one, other) => (one.milliseconds < other.milliseconds ? other : one));
  const mean = costs.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / costs.length;
  return [
    { ...cost("rendering a container, mean of the golden cases", mean), target: { atMost: 1 } },
    // Reported only: reading its YAML costs as much as its author has written.
    cost(`rendering a container, the dearest: ${dearest.name}`, dearest.milliseconds),
  ];
}

function costOf(golden: GoldenType, one: GoldenCase): number {
  const { renderer } = golden;
  const resource = goldenResource(golden, one);
  const context = goldenContext(one);
  const render = (): void => {
    for (let count = 0; count < rendersPerRound; count += 1) {
      renderer.dependencies(one.properties);
      renderer.render(resource, context);
    }
  };
  render(); // warms up
  return median(
    Array.from({ length: rounds }, () => {
      const before = process.cpuUsage();
      render();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000 / rendersPerRound;
    }),
  );
}

function cost(name: string, value: number): Measurement {
  return { name, value, unit: "ms CPU", figure: value };
}
