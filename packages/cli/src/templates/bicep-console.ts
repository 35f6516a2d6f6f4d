import { join, resolve } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { declaredParameters, mergeParameters } from "@rad/client/deploying";
import type { JsonObject } from "@rad/core";
import { isJsonObject } from "@rad/core";
import type { ParameterInput } from "@rad/templates";
import { compileFile, openDisk } from "../bicep/compile.ts";
import type { CompileOptions } from "../bicep/compile.ts";
import { diagnosticText } from "../bicep/diagnostic-text.ts";
import { toCompilerPath } from "@rad/artifacts/files";
import { readYaml } from "../bicep/read-yaml.ts";
import { reportDiagnostics } from "../bicep/report-diagnostics.ts";
import { CliError, ReportedFailure } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { stderrColors } from "../output/colors.ts";
import { readParameters } from "../deploy/parameters/read-parameters.ts";
import { readInput } from "../read-input.ts";
import { BicepSession, type Answer, type NamedValue } from "./bicep-session.ts";
import { isBalanced } from "./input-balance.ts";
import { printBicep } from "./print-bicep.ts";

export interface ConsoleOptions extends CompileOptions {
  readonly parameters?: readonly string[];
}

const help = `Type a Bicep expression to see its value, or declare something with var, func, type, param or import.
Input goes on in the next line while a bracket is open.
  :vars    variables and their values
  :params  parameters and their values
  :help    this text
  :quit    end (so does Ctrl-D)
`;

/**
 * A prompt for Bicep expressions. Without a terminal it reads its input to the end, prints values only, and fails when
 * something in it did. @throws ReportedFailure
 */
export async function runBicepConsole(
  context: CommandContext,
  file: string | undefined,
  options: ConsoleOptions,
): Promise<void> {
  const session = await openSession(context, file, options);
  const { host } = context;
  const isTerminal = host.stdin.isTTY === true && host.stdout.isTTY === true;
  const lines = createInterface({
    input: host.stdin,
    terminal: isTerminal,
    signal: host.signal,
    ...(isTerminal ? { output: host.stdout } : {}),
  });
  if (isTerminal) {
    context.output.note("Bicep console. :help tells what can be done here, Ctrl-D ends it.");
  }
  const hasFailed = await new Prompt(context, session, lines, isTerminal).run();
  if (hasFailed && !isTerminal) {
    throw new ReportedFailure("Some input had errors.");
  }
}

const nothingButComments = /^(?:\s|\/\/.*|\/\*[^]*?\*\/)*$/u;

class Prompt {
  readonly #context: CommandContext;
  readonly #session: BicepSession;
  readonly #lines: Interface;
  readonly #isTerminal: boolean;
  /** Lines of an input that is not complete yet. */
  #pending = "";
  #hasFailed = false;

  constructor(context: CommandContext, session: BicepSession, lines: Interface, isTerminal: boolean) {
    this.#context = context;
    this.#session = session;
    this.#lines = lines;
    this.#isTerminal = isTerminal;
  }

  /** Ends with the input; tells whether anything went wrong. */
  async run(): Promise<boolean> {
    this.#lines.on("SIGINT", () => this.#abandon());
    this.#ask();
    for await (const line of this.#lines) {
      if (this.#pending === "" && isQuit(line)) {
        break;
      }
      this.#take(line);
      this.#ask();
    }
    this.#lines.close();
    if (this.#pending !== "") {
      this.#answer(this.#pending);
    }
    return this.#hasFailed;
  }

  #take(line: string): void {
    const text = this.#pending === "" ? line : `${this.#pending}\n${line}`;
    if (!isBalanced(text) || isDecoratorOnly(text)) {
      this.#pending = text;
      return;
    }
    this.#pending = "";
    if (!nothingButComments.test(text)) {
      this.#answer(text.trim());
    }
  }

  #answer(text: string): void {
    switch (text.toLowerCase()) {
      case ":help":
        this.#context.output.write(help);
        break;
      case ":vars":
        this.#list(this.#session.variables());
        break;
      case ":params":
        this.#list(this.#session.parameters());
        break;
      default:
        if (text.startsWith(":")) {
          this.#complain("UnknownCommand", `There is no command ${text}. :help lists them.`);
        } else {
          this.#show(this.#session.submit(text));
        }
    }
  }

  #show(answer: Answer): void {
    const { host, output } = this.#context;
    switch (answer.kind) {
      case "value":
        output.write(`${this.#printed(answer)}\n`);
        break;
      case "declared":
        break;
      case "diagnostics":
        this.#hasFailed = true;
        host.stderr.write(
          diagnosticText([answer.diagnostics], { excerpts: true, colors: stderrColors(this.#context) }),
        );
        break;
      case "error":
        this.#complain(answer.code, answer.message);
        break;
      default:
        answer satisfies never;
    }
  }

  #list(values: readonly NamedValue[]): void {
    for (const { name, answer, secure } of values) {
      const text = answer.kind !== "value" ? "(not known)" : secure ? "(secure)" : this.#printed(answer);
      this.#context.output.write(`${name} = ${text}\n`);
    }
  }

  #printed({ value }: Extract<Answer, { kind: "value" }>): string {
    return this.#context.output.format === "json" ? JSON.stringify(value) : printBicep(value);
  }

  #complain(code: string, message: string): void {
    this.#hasFailed = true;
    this.#context.host.stderr.write(`${stderrColors(this.#context).red(`Error ${code}`)}: ${message}\n`);
  }

  #abandon(): void {
    if (this.#pending === "" && this.#lines.line === "") {
      this.#lines.close();
      return;
    }
    this.#pending = "";
    this.#lines.write(null, { ctrl: true, name: "u" }); // empties the line
    this.#context.host.stdout.write("\n");
    this.#ask();
  }

  #ask(): void {
    if (this.#isTerminal) {
      this.#lines.setPrompt(this.#pending === "" ? "> " : "… ");
      this.#lines.prompt();
    }
  }
}

/** A decorator waits for what it decorates; an empty line ends the waiting. */
function isDecoratorOnly(text: string): boolean {
  const lines = text.trimStart().split("\n");
  return (
    lines[0]?.startsWith("@") === true && lines.at(-1)?.trim() !== "" && !lines.some((line) => /^\s*[a-z]/i.test(line))
  );
}

function isQuit(line: string): boolean {
  return [":quit", ":exit", "exit"].includes(line.trim().toLowerCase());
}

async function openSession(
  context: CommandContext,
  file: string | undefined,
  options: ConsoleOptions,
): Promise<BicepSession> {
  const { host } = context;
  if (file === undefined) {
    const parameters = await givenParameters(context, {}, options, undefined);
    const disk = openDisk(host, options.root);
    disk.setYamlReader(readYaml);
    return new BicepSession({
      host: disk,
      path: toCompilerPath(join(host.cwd, "console.bicep")),
      text: "",
      parameters,
    });
  }
  if (!file.toLowerCase().endsWith(".bicep")) {
    throw new CliError("InvalidUsage", `${file} is no .bicep file.`);
  }
  const compiled = await compileFile(context, file, { ...options, lint: false });
  const { compilation, path, disk } = compiled;
  disk.setYamlReader(readYaml);
  const text = await readInput(host, resolve(host.cwd, file));
  const errors = compilation.diagnostics(path).map((one) => ({
    ...one,
    diagnostics: one.diagnostics.filter(({ level }) => level === "error"),
  }));
  if (await reportDiagnostics(context, errors, "default", compiled)) {
    throw new ReportedFailure(`${file} has errors.`);
  }
  const emitted: unknown = JSON.parse(compilation.emitTemplate(path, { generatorVersion: "" })?.text ?? "{}");
  const template = isJsonObject(emitted) ? emitted : {};
  return new BicepSession({
    host: disk,
    path,
    text,
    parameters: await givenParameters(context, template, options, path),
  });
}

async function givenParameters(
  context: CommandContext,
  template: JsonObject,
  options: ConsoleOptions,
  path: string | undefined,
): Promise<Record<string, ParameterInput>> {
  const { sources } = await readParameters(context, options.parameters ?? [], path, options);
  const merged = mergeParameters(declaredParameters(template), sources);
  const values = Object.entries(merged).flatMap(([name, entry]): [string, ParameterInput][] =>
    isJsonObject(entry) && entry["value"] !== undefined ? [[name, { value: entry["value"] }]] : [],
  );
  return Object.fromEntries(values);
}
