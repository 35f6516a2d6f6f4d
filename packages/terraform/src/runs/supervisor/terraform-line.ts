import type { ResourceAction, RunDiagnostic, RunEvent, RunLine } from "../run-event.ts";

/** What one line of `-json` output says. */
export interface TerraformLine {
  readonly level: RunLine["level"];
  /** For people. Values of outputs are not in it. */
  readonly text: string;
  /** Whether it was printed before Terraform had locked the state. */
  readonly isBeforeLock: boolean;
  readonly event?: RunEvent;
}

type Members = Readonly<Record<string, unknown>>;

const resourceStates: Readonly<Record<string, "started" | "progress" | "completed" | "failed">> = {
  apply_start: "started",
  apply_progress: "progress",
  apply_complete: "completed",
  apply_errored: "failed",
};

/** `undefined` for a line that is not of this format, such as one that a provisioner's shell printed. */
export function readTerraformLine(line: string): TerraformLine | undefined {
  const value = parse(line);
  const message = value["@message"];
  if (typeof message !== "string") {
    return undefined;
  }
  const type = text(value["type"]);
  const event = eventOf(type, value);
  return {
    level: levelOf(text(value["@level"])),
    text: message,
    isBeforeLock: type === "version" || type === "state_lock_acquire",
    ...(event === undefined ? {} : { event }),
  };
}

const logLine =
  /^(?:\S+ \[(?<word>TRACE|DEBUG|INFO|WARN|ERROR)\]|\{(?:"@caller":"[^"]*",)?"@level":"(?<name>trace|debug|info|warn|error)")/u;

/** The level of a line of the log that `TF_LOG` asks for: of text, or with `JSON` of objects. `undefined` for other text. */
export function logLevelOf(line: string): string | undefined {
  const { word, name } = logLine.exec(line)?.groups ?? {};
  return (word ?? name)?.toLowerCase();
}

/** The event without secret values in any of its texts. */
export function redactedEvent(event: RunEvent, redact: (text: string) => string): RunEvent {
  switch (event.kind) {
    case "planned":
      return { ...event, address: redact(event.address) };
    case "resource":
      return {
        ...event,
        address: redact(event.address),
        ...(event.id === undefined ? {} : { id: redact(event.id) }),
      };
    case "diagnostic": {
      const { summary, detail, address } = event.diagnostic;
      return {
        kind: "diagnostic",
        diagnostic: {
          ...event.diagnostic,
          summary: redact(summary),
          detail: redact(detail),
          ...(address === undefined ? {} : { address: redact(address) }),
        },
      };
    }
    case "summary":
    case "command":
      return event;
    default:
      return event satisfies never;
  }
}

function eventOf(type: string, value: Members): RunEvent | undefined {
  if (type === "planned_change") {
    const change = members(value["change"]);
    return { kind: "planned", ...resourceOf(change) };
  }
  const state = resourceStates[type];
  if (state !== undefined) {
    const hook = members(value["hook"]);
    const id = hook["id_value"];
    return {
      kind: "resource",
      ...resourceOf(hook),
      state,
      elapsedSeconds: number(hook["elapsed_seconds"]),
      ...(typeof id === "string" && id !== "" ? { id } : {}),
    };
  }
  if (type === "diagnostic") {
    return { kind: "diagnostic", diagnostic: diagnosticOf(members(value["diagnostic"])) };
  }
  if (type === "change_summary") {
    const changes = members(value["changes"]);
    return {
      kind: "summary",
      operation: text(changes["operation"]),
      add: number(changes["add"]),
      change: number(changes["change"]),
      remove: number(changes["remove"]),
    };
  }
  return undefined;
}

function resourceOf(value: Members): { address: string; type: string; action: ResourceAction } {
  const resource = members(value["resource"]);
  return {
    address: text(resource["addr"]),
    type: text(resource["resource_type"]),
    action: text(value["action"]) as ResourceAction,
  };
}

function diagnosticOf(value: Members): RunDiagnostic {
  const address = text(value["address"]);
  const range = members(value["range"]);
  const file = text(range["filename"]);
  return {
    severity: value["severity"] === "warning" ? "warning" : "error",
    summary: text(value["summary"]),
    detail: text(value["detail"]),
    ...(address === "" ? {} : { address }),
    ...(file === "" ? {} : { place: `${file}:${number(members(range["start"])["line"])}` }),
  };
}

function levelOf(level: string): RunLine["level"] {
  return level === "error" ? "error" : level === "warn" ? "warn" : "info";
}

function parse(line: string): Members {
  if (!line.startsWith("{")) {
    return {};
  }
  try {
    return members(JSON.parse(line));
  } catch {
    return {};
  }
}

function members(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function number(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
