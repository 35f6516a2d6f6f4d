import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { ApiError, type JsonObject, Redactor } from "@rad/core";
import { streamedResult } from "./streamed-result.ts";

const redactor = new Redactor();

type Start = Parameters<typeof streamedResult>[0];

async function textOf(start: Start): Promise<string> {
  const { body } = await streamedResult(start, redactor);
  let text = "";
  for await (const piece of body as AsyncIterable<string>) {
    text += piece;
  }
  return text;
}

it("tells of each recipe as it goes, and then the result", async () => {
  const text = await textOf(async (onRecipe) => {
    onRecipe({ resourceId: "/a", state: "Running" });
    await turn();
    onRecipe({ resourceId: "/a", state: "Succeeded" });
    onRecipe({ resourceId: "/b", state: "Running" });
    await turn();
    return { status: "Succeeded" };
  });

  assert.deepEqual(text.split("\n\n").slice(0, -1), [
    'event: recipe\ndata: {"resourceId":"/a","state":"Running"}',
    'event: recipe\ndata: {"resourceId":"/a","state":"Succeeded"}',
    'event: recipe\ndata: {"resourceId":"/b","state":"Running"}',
    'event: result\ndata: {"status":"Succeeded"}',
  ]);
});

it("a failure before the first recipe is the answer, and one after it the last event", async () => {
  const refusal = new ApiError("InvalidTemplate", "no");
  await assert.rejects(
    streamedResult(() => Promise.reject(refusal), redactor),
    refusal,
  );

  const text = await textOf(async (onRecipe): Promise<JsonObject> => {
    onRecipe({ resourceId: "/a", state: "Running" });
    await turn();
    throw refusal;
  });

  assert.match(text, /event: error\ndata: \{"error":\{"code":"InvalidTemplate","message":"no"/u);
});

it("others have their turn while nothing is new", async () => {
  const result = Promise.withResolvers<JsonObject>();
  const reading = textOf((onRecipe) => {
    onRecipe({ resourceId: "/a", state: "Running" });
    return result.promise;
  });

  for (let turns = 0; turns < 5; turns += 1) {
    await turn();
  }
  result.resolve({});

  assert.match(await reading, /event: result/u);
});

it("an error is told without what is hidden", async () => {
  using _hidden = redactor.add(["canary-of-the-stream"]);
  const text = await textOf(async (onRecipe): Promise<JsonObject> => {
    onRecipe({ resourceId: "/a", state: "Running" });
    await turn();
    throw new ApiError("RecipeDeploymentFailed", "no canary-of-the-stream");
  });

  assert.match(text, /"message":"no \[redacted\]"/u);
});
