// npm run campaign -- core
// npm run campaign -- fuzz
// npm run campaign -- kubernetes
// npm run campaign -- terraform
// npm run campaign -- recipes
// npm run campaign -- migration
//
// Runs the tests of an area with counts that are too large for `npm test`; what they print is the result. It takes less
// than an hour, and fails as a test does.
import { globSync } from "node:fs";
import { run } from "node:test";
import { spec } from "node:test/reporters";

interface Campaign {
  readonly files: readonly string[];
  /** What the tests read their counts from; variables that are set win. */
  readonly counts: Readonly<Record<string, string>>;
}

const campaigns: Readonly<Record<string, Campaign>> = {
  core: {
    files: ["e2e/audit-crash.slow.test.ts", "e2e/postgres-crash.slow.test.ts"],
    counts: { RAD_CRASH_KILLS: "200", RAD_CRASH_RESTARTS: "20" },
  },
  fuzz: {
    files: ["e2e/fuzz.slow.test.ts"],
    counts: { RAD_FUZZ_MINUTES: "7.5" },
  },
  kubernetes: {
    files: ["e2e/kubernetes/faults.slow.test.ts", "e2e/kubernetes/leaks.slow.test.ts"],
    counts: {
      RAD_KUBERNETES_KILLS: "100",
      RAD_KUBERNETES_RESTARTS: "20",
      RAD_KUBERNETES_CUTS: "100",
      RAD_KUBERNETES_DEPLOYMENTS: "1000",
    },
  },
  terraform: {
    files: ["e2e/terraform/{kills,order,upgrades}.slow.test.ts"],
    counts: {
      RAD_TERRAFORM_KILLS: "300",
      RAD_TERRAFORM_JOBS: "100",
      RAD_TERRAFORM_VERSIONS: "1.4.7,1.5.7",
    },
  },
  recipes: {
    files: ["e2e/recipes/kills.slow.test.ts"],
    counts: { RAD_RECIPE_KILLS: "200" },
  },
  migration: {
    files: ["e2e/migration/story.slow.test.ts"],
    counts: { RAD_MIGRATION_KILLS: "50" },
  },
};

const [name = ""] = process.argv.slice(2);
const campaign = campaigns[name];
if (campaign === undefined) {
  process.stderr.write(`There is no campaign '${name}'; there are: ${Object.keys(campaigns).join(", ")}\n`);
  process.exitCode = 2;
} else {
  process.exitCode = (await passes(campaign)) ? 0 : 1;
}

async function passes({ files, counts }: Campaign): Promise<boolean> {
  Object.assign(process.env, { ...counts, ...process.env });
  let failed = 0;
  // One file at a time: what they do to the server is what is measured.
  const stream = run({ files: globSync([...files]).toSorted(), concurrency: 1, timeout: 3_600_000 });
  stream.on("test:fail", () => {
    failed += 1;
  });
  for await (const chunk of stream.compose(spec())) {
    process.stdout.write(String(chunk));
  }
  return failed === 0;
}
