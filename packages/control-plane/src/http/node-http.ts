/**
 * What the server needs of `node:http`. An `import` of that module reads all its members, and so loads `WebSocket` with
 * `fetch` and what these need: 20 ms and several megabytes at every start, for nothing.
 */
export const { createServer, METHODS } = process.getBuiltinModule("node:http");
