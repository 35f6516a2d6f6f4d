// Messages that clients of upstream compare, to the letter, and those for requests that miss something.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { local, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";

let server: TestServer;
const group = `${local}/resourcegroups/texts`;

before(async () => {
  server = await startTestServer();
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
});
after(() => server[Symbol.asyncDispose]());

const environment = `${group}/providers/Applications.Core/environments/none`;
const failedValidation =
  "HTTP request payload failed validation against API specification with one or more errors. Please see details for more information.";
const texts: readonly (readonly [string, string, number, JsonObject])[] = [
  [
    "GET",
    `${local}?api-version=2020-01-01`,
    400,
    {
      code: "InvalidApiVersionParameter",
      message:
        "API version '2020-01-01' for type 'ucp/openapi' is not supported. The supported api-versions are '2023-10-01-preview'.",
    },
  ],
  ...["", "?api-version="].map(
    (query) =>
      [
        "GET",
        `${group}${query}`,
        400,
        {
          code: "InvalidApiVersionParameter",
          message:
            "The api-version is missing. Planes, resource groups and resource types have '2023-10-01-preview': add '?api-version=2023-10-01-preview' to the URL.",
        },
      ] as const,
  ),
  [
    "GET",
    `${group}?${systemVersion}&top=3`,
    400,
    {
      code: "BadRequest",
      message: "'top' must be a whole number from 5 to 20, not '3'. Leave it out for pages of 10.",
    },
  ],
  [
    "PUT",
    `/planes/radius/texts?${systemVersion}`,
    400,
    {
      code: "HttpRequestPayloadAPISpecValidationFailed",
      message: failedValidation,
      target: "ucp/openapi",
      details: [
        { code: "InvalidProperties", message: "$.location in body is required" },
        { code: "InvalidProperties", message: "$.properties in body is required" },
      ],
    },
  ],
  ["GET", "/abc", 404, { code: "NotFound", message: "The request 'GET /abc' is invalid." }],
  [
    "GET",
    `${environment}?${systemVersion}`,
    404,
    { code: "NotFound", message: `the resource with id '${environment}' was not found`, target: environment },
  ],
  [
    "GET",
    `${local}/resourcegroups/none?${systemVersion}`,
    404,
    {
      code: "NotFound",
      message: `the resource with id '${local}/resourcegroups/none' was not found`,
      target: `${local}/resourcegroups/none`,
    },
  ],
  [
    "GET",
    `${local}/providers/No.Such?${systemVersion}`,
    404,
    { code: "NotFound", message: "the resource provider with name 'No.Such' was not found" },
  ],
  [
    "DELETE",
    `/planes?${systemVersion}`,
    405,
    {
      code: "BadRequest",
      message: "DELETE is not allowed on '/planes'.",
      details: [{ code: "InvalidRequestContent", message: "failed to parse route: undefined route path" }],
    },
  ],
];
for (const [method, path, status, error] of texts) {
  it(`${method} ${path} says what upstream says`, async () => {
    const reply = await server.call(method, path, method === "PUT" ? { body: {} } : {});

    assert.deepEqual([reply.status, reply.body], [status, { error }]);
  });
}
