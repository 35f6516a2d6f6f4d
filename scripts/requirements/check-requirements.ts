/** A test as the page names it: a link to its file, whose text is the test's name or a part of it. */
interface NamedTest {
  readonly requirement: string;
  readonly name: string;
  readonly file: string;
}

/**
 * What is wrong with a table of requirements: rows without a test, and tests that do not exist.
 * @param readFile gives `undefined` for a file that is not there; files are named from the root of the repository.
 */
export function requirementProblems(page: string, readFile: (file: string) => string | undefined): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const [, requirement = "", cells = ""] of page.matchAll(/^\| *([A-Z]\d{3}-\d{2,3}) *\|(.*)\|\s*$/gm)) {
    if (seen.has(requirement)) {
      problems.push(`${requirement} has two rows.`);
    }
    seen.add(requirement);
    const tests = testsIn(requirement, cells.slice(cells.lastIndexOf("|") + 1));
    if (tests.length === 0) {
      problems.push(`${requirement} names no test.`);
    }
    problems.push(...tests.flatMap((test) => problemOf(test, readFile) ?? []));
  }
  return seen.size === 0 ? ["The page has no row that starts with an id such as S001-10."] : problems;
}

function testsIn(requirement: string, cell: string): NamedTest[] {
  return [...cell.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g)].map(([, name = "", file = ""]) => ({
    requirement,
    name,
    file,
  }));
}

function problemOf(
  { requirement, name, file }: NamedTest,
  readFile: (file: string) => string | undefined,
): string | undefined {
  const text = readFile(file);
  if (text === undefined) {
    return `${requirement}: there is no file '${file}'.`;
  }
  return testNames(text).some((known) => known.includes(name))
    ? undefined
    : `${requirement}: '${file}' has no test '${name}'.`;
}

/** Names may be templates, of which the page names a fixed part. */
function testNames(text: string): string[] {
  return [...text.matchAll(/\b(?:it|test)\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(([, , name = ""]) => name);
}
