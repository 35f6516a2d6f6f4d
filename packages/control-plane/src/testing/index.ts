export { createApiCalls } from "./api-calls.ts";
export type { ApiCalls, Reply } from "./api-calls.ts";
export { handlersModule } from "./handlers-module.ts";
export { startTestServer } from "./test-server.ts";
export type { TestServer, TestServerOptions } from "./test-server.ts";
