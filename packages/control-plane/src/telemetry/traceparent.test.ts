import assert from "node:assert/strict";
import { it } from "node:test";
import { formatTraceparent, parseTraceparent } from "./traceparent.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

it("a header survives reading and writing", () => {
  for (const flags of ["00", "01"]) {
    const header = `00-${traceId}-${spanId}-${flags}`;
    const context = parseTraceparent(header);

    assert(context !== undefined);
    assert.equal(formatTraceparent(context), header);
  }
});

it("a later version is read as far as it is known", () => {
  assert.equal(parseTraceparent(`01-${traceId}-${spanId}-01-more`)?.traceId, traceId);
});

it("a malformed header counts as absent", () => {
  const malformed = [
    "",
    "x",
    `00-${traceId}-${spanId}`,
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
  ];
  for (const header of malformed) {
    assert.equal(parseTraceparent(header), undefined, header);
  }
});
