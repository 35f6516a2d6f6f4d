// What is done to an installation from outside of its server. Apart from the package's index, because a server need not load it.
export { checkConfigFiles } from "./check-config.ts";
export { copyDatabase } from "./copy-database.ts";
export { renewToken } from "./renew-token.ts";
