// node replay-sessions.ts URL TOKEN_FILE
//
// Replays the recorded sessions of upstream's `rad` against a server that runs, and prints what differs as JSON. A program
// of its own, because a process is told at its start whose certificates it trusts (`NODE_EXTRA_CA_CERTS`).
import { readFileSync } from "node:fs";
import path from "node:path";
import { readSessions } from "../../scripts/conformance/replay/recording.ts";
import { replay } from "../../scripts/conformance/replay/replay.ts";

const [url = "", tokenFile = ""] = process.argv.slice(2);
const sessions = await readSessions(path.join(import.meta.dirname, "..", "upstream-client"));
const differences = await replay(sessions, { url, token: readFileSync(tokenFile, "utf8").trim() });
process.stdout.write(JSON.stringify({ sessions: sessions.length, differences }));
