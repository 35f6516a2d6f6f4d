// A box provider in a process of its own: node provider-main.ts
// It says where it listens in one JSON line on standard output, and ends when standard input does.
import { BoxProvider } from "./box-provider.ts";

const provider = await BoxProvider.start();
process.stdout.write(`${JSON.stringify({ url: provider.url })}\n`);
process.stdin.resume().once("end", () => process.exit(0));
