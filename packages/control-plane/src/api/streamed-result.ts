import { ApiError, type ErrorDetail, inSlices, type JsonObject, printJson, type Redactor } from "@rad/core";
import type { Answer } from "@rad/modules";

const headers = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Accel-Buffering": "no", // nginx would otherwise keep events until it has a page full
};

/** Something on the wire now and then keeps proxies from giving the connection up. */
const keepAliveMs = 15_000;

/** How far the work for one recipe is. */
interface RecipeProgress {
  readonly resourceId: string;
  readonly state: "Running" | "Succeeded" | "Failed";
}

/**
 * An answer that may take minutes: events tell how it goes. Errors are told without secrets, as in every other answer.
 * @throws what the work throws before its first event
 */
export async function streamedResult(
  start: (onRecipe: (progress: RecipeProgress) => void) => Promise<JsonObject>,
  redactor: Pick<Redactor, "redactError">,
): Promise<Answer> {
  const queue = new EventQueue();
  const result = start((progress) => queue.add("recipe", JSON.stringify(progress)));
  // Whatever is wrong with the request as a whole is found before the first recipe is begun.
  await Promise.race([result, queue.first]);
  void result
    .then(async (body) => queue.add("result", await inSlices(printJson(body))))
    .catch((error: unknown) => queue.add("error", JSON.stringify({ error: redactor.redactError(detailOf(error)) })))
    .finally(() => queue.end());
  return { status: 200, headers, body: queue.events() };
}

function detailOf(error: unknown): ErrorDetail {
  const known = error instanceof ApiError ? error : new ApiError("Internal", "The answer could not be completed.");
  return known.toDetail();
}

/** Events wait here until the caller's connection takes them. There are two for each recipe, so they are few. */
class EventQueue {
  readonly #waiting: string[] = [];
  readonly #first = Promise.withResolvers<void>();
  #news = Promise.withResolvers<void>();
  #hasEnded = false;

  get first(): Promise<void> {
    return this.#first.promise;
  }

  add(event: "recipe" | "result" | "error", data: string): void {
    this.#waiting.push(`event: ${event}\ndata: ${data}\n\n`);
    this.#first.resolve();
    this.#news.resolve();
  }

  end(): void {
    this.#hasEnded = true;
    this.#news.resolve();
  }

  async *events(): AsyncGenerator<string> {
    for (;;) {
      this.#news = Promise.withResolvers(); // before looking, so that nothing comes unseen
      yield* this.#waiting.splice(0);
      if (this.#waiting.length > 0) {
        continue;
      }
      if (this.#hasEnded) {
        return;
      }
      if (!(await this.#nextNews())) {
        yield ":\n\n";
      }
    }
  }

  /** @returns `false` when nothing came for a while */
  async #nextNews(): Promise<boolean> {
    const silence = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => silence.resolve(false), keepAliveMs);
    try {
      return await Promise.race([this.#news.promise.then(() => true), silence.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}
