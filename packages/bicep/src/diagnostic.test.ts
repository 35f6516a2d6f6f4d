import assert from "node:assert/strict";
import { it } from "node:test";
import { DiagnosticList, error, info, orderDiagnostics, warning } from "./diagnostic.ts";

it("orders by start, keeps ties in the order of arrival and drops exact repetitions", () => {
  const list = new DiagnosticList();
  list.report(error("B", { start: 5, end: 6 }, "b"));
  list.report(warning("C", { start: 1, end: 9 }, "c"));
  list.report(info("A", { start: 5, end: 5 }, "a"));
  list.report(error("B", { start: 5, end: 6 }, "b"));
  list.report(error("B", { start: 5, end: 6 }, "another"));

  const ordered = orderDiagnostics(list.items);

  assert.deepEqual(
    ordered.map(({ code, message }) => `${code} ${message}`),
    ["C c", "B b", "A a", "B another"],
  );
});

it("keeps the span of a node and not the node", () => {
  const node = { start: 1, end: 2, children: [] };

  assert.deepEqual(error("A", node, "a").span, { start: 1, end: 2 });
});
