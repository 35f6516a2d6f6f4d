import type { Command } from "commander";
import type { ApiOptions, GivenField } from "../api/call-api.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";

export function defineApi(command: Command, context: ContextOf): void {
  const fields: GivenField[] = [];
  command
    .argument("<method>", "GET, PUT, PATCH, POST or DELETE; may be left out for GET")
    .argument("[path]", "/planes/… or another path of the server, or one below the group: providers/…")
    .option(
      "-f, --raw-field <key=value>",
      "member of the body as text; key[member]=value, key[]=value",
      (text: string) => {
        fields.push({ text, isTyped: false });
      },
    )
    .option(
      "-F, --field <key=value>",
      "the same with true, false, null, integers, and @file as they are",
      (text: string) => {
        fields.push({ text, isTyped: true });
      },
    )
    .option("--input <file>", "body of the request; - reads it from stdin")
    .option("-H, --header <header>", "header of the request, 'Name: value'; can be given many times", collect)
    .option("-i, --include", "print the status and the headers of the answer too")
    .option("--paginate", "follow the pages of a list and print it whole")
    .option("--wait", "wait for the operation that the request starts, and print its result")
    .option("-g, --group <name>", "resource group of a relative path; by default the workspace's")
    .addHelpText(
      "after",
      `
With GET and DELETE, fields are parameters of the query. The token of the
workspace is sent along, and the api-version that the type prefers where the
path has none. An answer of 400 and above is printed as well, and the exit code
is then 1.
${examples(
  "rad api /planes/radius/local/resourceGroups --paginate",
  "rad api GET providers/Applications.Core/containers/web",
  "rad api PUT providers/Example.Boards/messageBoards/hi --wait -f 'properties[title]=Hi' -f 'properties[environment]=dev'",
  "rad api PUT providers/Example.Boards/messageBoards/lobby --input lobby.json -H 'If-None-Match: *' -i",
  "rad api POST providers/Applications.Core/extenders/mail/listSecrets",
)}`,
    )
    .action(async (method: string, path: string | undefined, options: Omit<ApiOptions, "fields">) => {
      const { callApi } = await import("../api/call-api.ts");
      await callApi(context(), method, path, { ...options, fields });
    });
}

function collect(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text];
}
