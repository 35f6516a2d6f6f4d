// The load generator: takes jobs from its parent process, one at a time, and sends back the result of each.
import { runJob } from "./job.ts";
import type { LoadJob } from "./job.ts";

process.on("message", (job: LoadJob) => {
  runJob(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});
