import assert from "node:assert/strict";
import { it } from "node:test";
import { History } from "./history.ts";

const put = (version: number) => ({ kind: "put", version }) as const;
const create = (version: number) => ({ kind: "create", version }) as const;
const remove = (version: number) => ({ kind: "delete", version }) as const;
const get = { kind: "get", version: 0 } as const;

it("a change without an answer may have happened or not", () => {
  for (const found of [1, 2]) {
    const history = new History();
    assert.equal(history.answered(put(1), 200), undefined);

    history.unknown(put(2));

    assert.equal(history.answered(get, 200, found), undefined);
    assert.notEqual(history.answered(get, 200, 3 - found), undefined, "what was seen stays");
  }
});

it("an acknowledged change that is lost is a problem", () => {
  const history = new History();
  history.answered(put(1), 200);
  history.answered(put(2), 200);

  assert.notEqual(history.answered(get, 200, 1), undefined);
  assert.notEqual(history.answered(get, 404), undefined);
  assert.notEqual(history.answered(remove(3), 204), undefined);
});

it("a creation is refused only where something may be", () => {
  const history = new History();
  assert.notEqual(history.answered(create(1), 412), undefined);

  history.unknown(create(1));

  assert.equal(history.answered(create(2), 412), undefined);
  assert.equal(history.answered(get, 200, 1), undefined);
});

it("an answer that nobody foresaw is a problem", () => {
  for (const status of [400, 404, 409, 500]) {
    assert.notEqual(new History().answered(put(1), status), undefined, String(status));
  }
});
