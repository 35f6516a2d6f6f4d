// npm run bench [-- --json] [-- --only requests|postgresql|beside|pages|cli|server|bicep|deployments|steps|operations|downloads|kubernetes|containers|rendering|installer|recipes|preflight]
//
// Measures this machine, now: what counts are the ratios to baselines of the same run, not the absolute numbers.
import { parseArgs } from "node:util";
import { measureBeside } from "./beside.ts";
import { measureBicep } from "./bicep/measure-bicep.ts";
import { measureDeployments } from "./deployments/measure-deployments.ts";
import { measureSteps } from "./deployments/steps.ts";
import { measureContainers } from "./containers.ts";
import { measureDownloads } from "./downloads.ts";
import { measureInstaller } from "./installer.ts";
import { measureRecipes } from "./recipes.ts";
import { measureKubernetes } from "./kubernetes.ts";
import { measureOperations } from "./operations.ts";
import { measurePages } from "./pages.ts";
import { measurePostgresql } from "./postgresql.ts";
import { measurePreflight } from "./preflight.ts";
import { measureRendering } from "./rendering.ts";
import { meetsTarget, table } from "./report.ts";
import type { Measurement } from "./report.ts";
import { measureRequests } from "./requests.ts";
import { measureServer } from "./server.ts";
import { measureCli } from "./start-up.ts";

const parts: Readonly<Record<string, () => Promise<readonly Measurement[]> | readonly Measurement[]>> = {
  requests: measureRequests,
  postgresql: measurePostgresql,
  beside: measureBeside,
  pages: measurePages,
  cli: measureCli,
  server: measureServer,
  bicep: measureBicep,
  deployments: measureDeployments,
  steps: measureSteps,
  operations: measureOperations,
  downloads: measureDownloads,
  kubernetes: measureKubernetes,
  containers: measureContainers,
  rendering: measureRendering,
  installer: measureInstaller,
  recipes: measureRecipes,
  preflight: measurePreflight,
};

const { values } = parseArgs({ options: { json: { type: "boolean", default: false }, only: { type: "string" } } });
const chosen = values.only === undefined ? Object.keys(parts) : [values.only];
const measurements: Measurement[] = [];
for (const name of chosen) {
  const measure = parts[name];
  if (measure === undefined) {
    throw new Error(`there is no part ${name}; choose from ${Object.keys(parts).join(", ")}`);
  }
  process.stderr.write(`measuring ${name}\n`);
  measurements.push(...(await measure()));
}
const results = measurements.map((measurement) => ({ ...measurement, met: meetsTarget(measurement) }));
process.stdout.write(values.json ? `${JSON.stringify(results, null, 2)}\n` : `${table(measurements)}\n`);
process.exitCode = results.every((result) => result.met) ? 0 : 1;
