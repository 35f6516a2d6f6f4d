import type { Client, HttpAnswer, Method, RawRequest } from "@rad/client";
import { ClientError } from "@rad/client";
import type { JsonValue } from "@rad/core";
import { CliError, ReportedFailure } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { printable, printableLine } from "../output/printable.ts";
import { readInput } from "../read-input.ts";
import { groupId, resolveGroup } from "../scope.ts";
import { allPages } from "./all-pages.ts";
import { parseJson } from "./parse-json.ts";
import { readBody } from "./read-body.ts";
import { bodyOf, queryOf, rawField, typedField } from "./request-fields.ts";
import type { RequestField } from "./request-fields.ts";
import { absoluteUrl, apiVersionFor } from "./request-url.ts";

/** One field as it was given; raw and typed ones can be mixed, and their order counts. */
export interface GivenField {
  readonly text: string;
  readonly isTyped: boolean;
}

export interface ApiOptions {
  readonly fields?: readonly GivenField[];
  readonly input?: string;
  readonly header?: readonly string[];
  readonly include?: boolean;
  readonly paginate?: boolean;
  readonly wait?: boolean;
  readonly group?: string;
}

const methods: ReadonlySet<string> = new Set(["GET", "PUT", "PATCH", "POST", "DELETE"]);
const withoutBody: ReadonlySet<string> = new Set(["GET", "DELETE"]);

/** Sends one request and prints the answer, whatever it is. @throws ReportedFailure for an answer of 400 and above */
export async function callApi(
  context: CommandContext,
  methodOrPath: string,
  givenPath: string | undefined,
  options: ApiOptions,
): Promise<void> {
  const [method, path] = givenPath === undefined ? ["GET", methodOrPath] : [methodOrPath, givenPath];
  const request = await toRequest(context, checkMethod(method, givenPath === undefined), path, options);
  const client = await context.client();
  const apiVersion = await apiVersionFor(client, request.url);
  const query = { ...(apiVersion === undefined ? {} : { "api-version": apiVersion }), ...request.query };
  const answer = await send(client, { ...request, query });
  if (options.include === true) {
    context.output.write(headText(answer));
  }
  if (answer.status >= 400) {
    await printBody(context, answer);
    throw refusal(context, answer);
  }
  if (options.paginate === true) {
    printJson(context, await allPages(client, request, await readBody(answer)));
    return;
  }
  if (options.wait === true) {
    await waitAndPrint(context, client, { ...request, query }, answer);
    return;
  }
  await printBody(context, answer);
}

/** The client speaks of links that the control plane sent; here the user has typed the URL. */
async function send(client: Client, request: RawRequest): Promise<HttpAnswer> {
  try {
    return await client.exchange(request);
  } catch (error) {
    if (error instanceof ClientError && error.code === "UntrustedLink") {
      throw new CliError(
        "UntrustedLink",
        `${URL.parse(request.url)?.origin ?? "This"} is not the workspace's control plane, so nothing was sent. Use a path, such as /planes, or another workspace with \`-w\`.`,
      );
    }
    throw error;
  }
}

function checkMethod(given: string, isDefault: boolean): Method {
  const method = given.toUpperCase();
  if (!isDefault && !methods.has(method)) {
    const known = [...methods].join(", ");
    throw new CliError(
      "InvalidUsage",
      `"${given}" is not a method. Use \`rad api <method> <path>\` with one of ${known}.`,
    );
  }
  return method as Method;
}

async function toRequest(
  context: CommandContext,
  method: Method,
  path: string,
  options: ApiOptions,
): Promise<RawRequest> {
  const { fields = [], input, paginate, wait } = options;
  if (input !== undefined && (fields.length > 0 || method === "GET")) {
    const reason = method === "GET" ? "A GET has no body" : "Use `--input` or fields, not both";
    throw new CliError("InvalidUsage", `${reason}.`);
  }
  if (paginate === true && method !== "GET") {
    throw new CliError("InvalidUsage", "`--paginate` follows the pages of a list: use it with GET.");
  }
  if (wait === true && method === "GET") {
    throw new CliError("InvalidUsage", "`--wait` waits for the operation that a change starts; a GET starts none.");
  }
  const read = await Promise.all(
    fields.map(async ({ text, isTyped }) =>
      isTyped ? typedField(text, (file) => readInput(context.host, file)) : rawField(text),
    ),
  );
  return {
    method,
    url: await absoluteUrl(path, async () => groupId(await resolveGroup(context, options.group))),
    headers: headersOf(options.header ?? []),
    ...(await contentOf(context, method, read, input)),
  };
}

async function contentOf(
  context: CommandContext,
  method: Method,
  fields: readonly RequestField[],
  input: string | undefined,
): Promise<Pick<RawRequest, "query" | "text">> {
  if (input !== undefined) {
    return { text: await readInput(context.host, input) };
  }
  if (fields.length === 0) {
    return {};
  }
  return withoutBody.has(method) ? { query: queryOf(fields) } : { text: JSON.stringify(bodyOf(fields)) };
}

/** By lower-case name, so that each replaces the one that rad would send. Values may be secrets and are not repeated. */
function headersOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [, name = "", value = ""] =
        /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t -~\u0080-\u00ff]*)$/.exec(text) ?? [];
      if (name === "") {
        throw new CliError("InvalidUsage", "A header is written as `-H 'Name: value'`.");
      }
      return [name.toLowerCase(), value.trim()];
    }),
  );
}

/** Prints the resource as it is once the operation has ended, or the result of an action. */
async function waitAndPrint(
  context: CommandContext,
  client: Client,
  request: RawRequest,
  answer: HttpAnswer,
): Promise<void> {
  const text = await readBody(answer);
  try {
    await client.waitForEnd(answer);
  } catch (error) {
    if (error instanceof ClientError && error.wire !== undefined) {
      printJson(context, { error: error.wire });
    }
    throw error;
  }
  const { method, url, query } = request;
  const result = method === "POST" ? answer.headers.get("location") : url;
  if (![201, 202].includes(answer.status) || method === "DELETE" || result === null) {
    printText(context, text);
    return;
  }
  const final = await client.exchange({
    method: "GET",
    url: result,
    ...(method === "POST" ? {} : { query: query ?? {} }),
  });
  await printBody(context, final);
  if (final.status >= 400) {
    throw refusal(context, final);
  }
}

async function printBody(context: CommandContext, answer: HttpAnswer): Promise<void> {
  printText(context, await readBody(answer));
}

/** As it came, for programs; indented for people. */
function printText(context: CommandContext, text: string): void {
  const forPeople = context.host.stdout.isTTY === true || context.output.format === "json";
  const parsed = forPeople ? parseJson(text) : undefined;
  if (parsed !== undefined) {
    printJson(context, parsed);
  } else if (text !== "") {
    const shown = context.host.stdout.isTTY === true ? printable(text) : text;
    context.output.write(shown.endsWith("\n") ? shown : `${shown}\n`);
  }
}

function printJson(context: CommandContext, value: JsonValue): void {
  context.output.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

function headText({ status, headers }: HttpAnswer): string {
  const lines = headers.all.map(([name, value]) => `${name}: ${printableLine(value)}\n`);
  return `HTTP/1.1 ${statusText(status)}\n${lines.join("")}\n`;
}

function statusText(status: number): string {
  const { STATUS_CODES } = process.getBuiltinModule("node:http"); // an import would load `fetch` too
  return `${status} ${STATUS_CODES[status] ?? ""}`.trimEnd();
}

/** The body says what is wrong and is on stdout already. */
function refusal(context: CommandContext, { status }: HttpAnswer): ReportedFailure {
  const message = `HTTP ${statusText(status)}`;
  context.host.stderr.write(`${message}\nTraceId:  ${context.traceId()}\n`);
  return new ReportedFailure(message, { error: { code: `HTTP${status}`, message } });
}
