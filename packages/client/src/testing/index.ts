export { startTestServer } from "./test-server.ts";
export type { RecordedRequest, TestServer, TestServerOptions } from "./test-server.ts";
