// Every requirement on the page has a test, and every test that it names exists.
import { existsSync, readFileSync } from "node:fs";
import { requirementProblems } from "./check-requirements.ts";

const page = readFileSync("docs/requirements.md", "utf8");
const problems = requirementProblems(page, (file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined));
for (const problem of problems) {
  process.stderr.write(`docs/requirements.md: ${problem}\n`);
}
process.exitCode = problems.length === 0 ? 0 : 1;
