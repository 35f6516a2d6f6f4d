import assert from "node:assert/strict";
import { it } from "node:test";
import { isAsPrinted, printedSteps } from "./printed-commands.ts";

const page = `# Page

\`\`\`console
$ echo one \\
    two
one two
$ true
\`\`\`

\`\`\`yaml folder/boards.yaml
a: 1
\`\`\`

\`\`\`sh
not run
\`\`\`

\`\`\`console exit=3
$ true
$ sh -c 'exit 3'
\`\`\`
`;

it("a page's files and commands are found in order, with their lines, output and exit codes", () => {
  assert.deepEqual(printedSteps(page), [
    { kind: "command", line: 4, command: "echo one \\\n    two", output: ["one two"], status: 0 },
    { kind: "command", line: 7, command: "true", output: [], status: 0 },
    { kind: "file", line: 11, name: "folder/boards.yaml", text: "a: 1\n" },
    { kind: "command", line: 19, command: "true", output: [], status: 0 },
    { kind: "command", line: 20, command: "sh -c 'exit 3'", output: [], status: 3 },
  ]);
});

it("a console block that starts with output is refused", () => {
  assert.throws(() => printedSteps("```console\nhello\n```\n"), /Line 2/);
});

for (const [printed, output, expected] of [
  [[], "anything\n", true],
  [["a.b"], "a.b\n", true],
  [["a.b"], "axb\n", false],
  [["a"], "a\nb\n", false],
  [["a", "b"], "a\n", false],
  [["id: …, state: done"], "id: 17, state: done\n", true],
  [["id: …, state: done"], "id: 17, state: failed\n", false],
  [["…", "end"], "one\ntwo\nend\n", true],
  [["start", "…"], "start\n", true],
  [["a  b"], "a  b   \n", true],
] as const) {
  it(`${JSON.stringify(output)} is ${expected ? "" : "not "}as printed: ${JSON.stringify(printed)}`, () => {
    assert.equal(isAsPrinted(printed, output), expected);
  });
}
