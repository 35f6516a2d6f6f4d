// Compiles one generated file in a process of its own and prints how much memory that took at most.
import { compile } from "./compile.ts";
import { generateBicep } from "./generate-bicep.ts";

compile(generateBicep(Number(process.argv[2])));
process.stdout.write(String(process.resourceUsage().maxRSS)); // kilobytes
