import assert from "node:assert/strict";
import { it } from "node:test";
import { describeErrors, diagnosticsIn } from "./diagnostics.ts";

it("reads errors and warnings from text, without Terraform's line breaks and frames", () => {
  const text = `╷
│ Warning: Old syntax
│
│ Use the new one.
╵

Error: Failed to query available provider packages

Could not retrieve the list of available versions for provider
hashicorp/nope: no such host

To see which modules need it, run:
    terraform providers
`;

  assert.deepEqual(diagnosticsIn(text.split("\n")), [
    { severity: "warning", summary: "Old syntax", detail: "Use the new one." },
    {
      severity: "error",
      summary: "Failed to query available provider packages",
      detail:
        "Could not retrieve the list of available versions for provider hashicorp/nope: no such host\n" +
        "To see which modules need it, run:\n    terraform providers",
    },
  ]);
});

it("makes one message of all errors, with what each is about", () => {
  const error = (summary: string) => ({ severity: "error", summary, detail: "why" }) as const;
  const errors = [
    { ...error("first"), address: "module.a.b", place: "main.tf:3" },
    error("second"),
    error("third"),
    error("fourth"),
  ];

  const message = describeErrors([{ severity: "warning", summary: "old", detail: "" }, ...errors]);

  assert.equal(message, "module.a.b, main.tf:3: first: why; second: why; third: why; and 1 more errors");
  assert.equal(describeErrors([]), undefined);
});
