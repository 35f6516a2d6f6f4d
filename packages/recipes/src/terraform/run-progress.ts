import type { StepHandle } from "@rad/operations";
import type { RunEvent } from "@rad/terraform";

/** More steps than that nobody reads, and all of them are stored. */
const maxSteps = 200;

/** Shows a run as steps of the operation: its phases, and below each the resources that Terraform works on. */
export class RunProgress {
  readonly #root: StepHandle;
  #phase: StepHandle | undefined;
  readonly #open = new Map<string, OpenStep>();
  /** One for each step below the phase: resolves when its end is stored. */
  readonly #ends: Promise<void>[] = [];
  #steps = 0;
  #planned = 0;
  #ended = 0;

  constructor(root: StepHandle) {
    this.#root = root;
  }

  async during<T>(name: string, work: () => Promise<T>): Promise<T> {
    return await this.#root.step(name, async (phase) => {
      this.#phase = phase;
      try {
        return await work();
      } finally {
        this.#phase = undefined;
        await this.#closeAll();
      }
    });
  }

  onEvent(event: RunEvent): void {
    switch (event.kind) {
      case "command":
        if (event.state === "started") {
          this.#phase?.detail(`terraform ${event.command}`);
        }
        break;
      case "planned":
        this.#planned += event.action === "noop" || event.action === "read" ? 0 : 1;
        break;
      case "resource":
        this.#onResource(event);
        break;
      case "diagnostic":
        this.#phase?.detail(event.diagnostic.summary);
        break;
      case "summary":
        break;
      default:
        event satisfies never;
    }
  }

  /** Nothing more comes. */
  end(): void {
    this.#phase = undefined;
  }

  #onResource({ address, action, state, elapsedSeconds }: Extract<RunEvent, { readonly kind: "resource" }>): void {
    const key = `${action} ${address}`;
    switch (state) {
      case "started":
        this.#start(key, `${verbs[action] ?? action} ${address}`);
        break;
      case "progress":
        this.#open.get(key)?.step?.detail(`${elapsedSeconds} s`);
        break;
      case "completed":
      case "failed":
        this.#open.get(key)?.close(state === "completed");
        this.#open.delete(key);
        this.#ended += 1;
        if (this.#planned > 0) {
          this.#phase?.share(Math.min(1, this.#ended / this.#planned));
        }
    }
  }

  #start(key: string, name: string): void {
    if (this.#phase === undefined || this.#steps >= maxSteps || this.#open.has(key)) {
      this.#phase?.detail(name);
      return;
    }
    this.#steps += 1;
    // Never rejected: the resource may fail while the step is still being stored, when nobody would hear of it.
    const { promise: succeeded, resolve } = Promise.withResolvers<boolean>();
    const open: OpenStep = { step: undefined, close: resolve };
    const end = this.#phase
      .step(name, async (step) => {
        open.step = step;
        if (!(await succeeded)) {
          throw new Error("failed");
        }
      })
      .catch(() => {}); // the command says what went wrong
    this.#open.set(key, open);
    this.#ends.push(end);
  }

  async #closeAll(): Promise<void> {
    for (const step of this.#open.values()) {
      step.close(false);
    }
    this.#open.clear();
    await Promise.all(this.#ends.splice(0));
  }
}

interface OpenStep {
  step: StepHandle | undefined;
  close(succeeded: boolean): void;
}

const verbs: Readonly<Record<string, string>> = {
  create: "Create",
  update: "Update",
  delete: "Destroy",
  replace: "Replace",
  read: "Read",
};
