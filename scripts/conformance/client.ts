// npm run conformance:client -- <folder>
//
// Replays the recorded sessions of a client against a fresh server and prints how its answers differ from those that the
// client got. docs/recorded-exchanges.md has the form of a recording; e2e/upstream-client has some.
import { startTestServer } from "@rad/control-plane/testing";
import { readSessions, RecordingError } from "./replay/recording.ts";
import { replay } from "./replay/replay.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("usage: npm run conformance:client -- <folder>\n");
  process.exit(2);
}
try {
  const sessions = await readSessions(folder);
  await using server = await startTestServer();
  const differences = await replay(sessions, server);
  for (const { file, command, request, text } of differences) {
    process.stdout.write(`${file} (${command})\n  ${request}\n    ${text}\n`);
  }
  const failed = new Set(differences.map(({ file }) => file)).size;
  process.stdout.write(`${sessions.length - failed} of ${sessions.length} sessions are equal\n`);
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof RecordingError)) {
    throw error;
  }
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
