// What the listener needs to take requests, without the code that serves types: a server listens before it loads that.
export { anonymousCaller, localAdmin } from "./caller.ts";
export type { Caller } from "./caller.ts";
export { isOnRecord } from "./change-trail.ts";
export { notFound } from "./scopes.ts";
