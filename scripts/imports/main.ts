// Holds the direction of imports, between packages and between the folders of a package, and keeps what one package
// does for all in that package.
import { homeProblems } from "./home-rules.ts";
import { importsIn, readSources } from "./import-graph.ts";
import { folderProblems, packageProblems } from "./import-rules.ts";

const sources = readSources(process.cwd());
const imports = sources.flatMap(({ file, text }) => importsIn(file, text));
const problems = [
  ...packageProblems(imports),
  ...folderProblems(imports),
  ...sources.flatMap(({ file, text }) => homeProblems(file, text)),
];
for (const problem of problems) {
  process.stderr.write(`${problem}\n`);
}
process.exitCode = problems.length === 0 ? 0 : 1;
