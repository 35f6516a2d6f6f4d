// Holds the direction of imports: between packages, and between the folders of a package.
import { readImports } from "./import-graph.ts";
import { folderProblems, packageProblems } from "./import-rules.ts";

const imports = readImports(process.cwd());
const problems = [...packageProblems(imports), ...folderProblems(imports)];
for (const problem of problems) {
  process.stderr.write(`${problem}\n`);
}
process.exitCode = problems.length === 0 ? 0 : 1;
