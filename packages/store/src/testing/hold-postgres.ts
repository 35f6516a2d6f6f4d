import { startPostgres } from "./start-postgres.ts";

// A program for tests: starts a server, prints the URL of a database as a line of JSON, and stays until it is killed.

const server = await startPostgres();
process.stdout.write(`${JSON.stringify(await server.createDatabase())}\n`);
process.stdin.resume();
