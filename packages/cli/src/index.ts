export type { CliHost, InputStream, OutputStream } from "./host.ts";
export { runCli } from "./run-cli.ts";
