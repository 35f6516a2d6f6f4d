// npm run conformance:functions -- <sys.json> <az.json>
//
// Compares the functions of our namespaces with tables of `{ name, typeSignature, minimumArgumentCount,
// maximumArgumentCount }`, as the official compiler lists its own. Prints every difference and how many agree.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { azNamespace, printSignature, sysNamespace } from "../../packages/bicep/src/functions/index.ts";

interface Row {
  readonly name: string;
  readonly typeSignature: string;
  readonly minimumArgumentCount: number;
  readonly maximumArgumentCount?: number | null;
}

const everyScope = [1, 2, 4, 8];
let missing = 0;
for (const file of process.argv.slice(2)) {
  const rows = JSON.parse(await readFile(file, "utf8")) as readonly Row[];
  const known = ourRows(path.basename(file, ".json"));
  const lacking = rows.filter((row) => !known.has(describe(row)));
  missing += lacking.length;
  for (const row of lacking) {
    process.stdout.write(`missing  ${describe(row)}\n`);
  }
  process.stdout.write(`${path.basename(file)}: ${rows.length - lacking.length} of ${rows.length}\n`);
}
process.exitCode = missing === 0 && process.argv.length > 2 ? 0 : 1;

/** Every overload of a namespace, in whatever file and scope it is offered. */
function ourRows(namespace: string): ReadonlySet<string> {
  const create = namespace === "az" ? azNamespace : sysNamespace;
  const rows = new Set<string>();
  for (const file of ["template", "parameters"] as const) {
    for (const targetScope of everyScope) {
      const { functions } = create({ file, targetScope, feature: () => false });
      for (const name of [...functions.names, "listKeys"]) {
        for (const overload of functions.overloads(name)) {
          rows.add(
            describe({
              name: overload.wildcard ? `${overload.name}*` : overload.name,
              typeSignature: printSignature(overload),
              minimumArgumentCount: overload.minimumArguments,
              maximumArgumentCount: overload.maximumArguments ?? null,
            }),
          );
        }
      }
    }
  }
  return rows;
}

function describe(row: Row): string {
  return `${row.name}${row.typeSignature} ${row.minimumArgumentCount}..${row.maximumArgumentCount ?? ""}`;
}
