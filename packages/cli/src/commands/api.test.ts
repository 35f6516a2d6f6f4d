import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startTestServer } from "@rad/client/testing";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, createSandbox, startControlPlane } from "../testing/sandbox.ts";
import { registerWidgets } from "../testing/widgets.ts";

const scope = "/planes/radius/local/resourceGroups/dev";
const environment = `${scope}/providers/Radius.Core/environments/e`;
const widgets = `${scope}/providers/Contoso.Test/widgets`;

let server: TestControlPlane;
let sandbox: Sandbox;
before(async () => {
  server = await startControlPlane();
  sandbox = await createConnectedSandbox(server);
  await registerWidgets(sandbox);
});
after(async () => {
  await sandbox[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const rad = (...args: Parameters<Sandbox["rad"]>) => sandbox.rad(...args);

test("a GET needs no method, gets the api-version, and prints the answer as it came", async () => {
  const group = await rad(["api", scope]);
  const version = await rad(["api", "/version"]);

  assert.deepEqual([group.code, group.stderr], [0, ""]);
  assert.equal(JSON.parse(group.stdout).name, "dev");
  assert.equal(group.stdout.split("\n").length, 2); // one line, as it came
  assert.ok("version" in JSON.parse(version.stdout));
});

test("-o json indents, and -i prints status and headers", async () => {
  const indented = await rad(["api", "GET", scope, "-o", "json"]);
  const withHead = await rad(["api", "GET", scope, "-i"]);

  assert.match(indented.stdout, /^\{\n {2}"id"/);
  assert.match(
    withHead.stdout,
    /^HTTP\/1\.1 200 OK\n([\w-]+: .*\n)*[Cc]ontent-[Tt]ype: application\/json.*\n([\w-]+: .*\n)*\n\{/,
  );
});

test("a resource is written from fields, waited for, read by a relative path, and deleted", async () => {
  const path = "providers/Contoso.Test/widgets/fields";

  const fields = ["-f", `properties[environment]=${environment}`, "-F", "properties[size]=3"];
  const put = await rad(["api", "PUT", path, "--wait", ...fields, "-f", "properties[nested][inner]=1"]);
  const get = await rad(["api", "get", path]);
  const removed = await rad(["api", "DELETE", path, "--wait"]);
  const gone = await rad(["api", path]);

  assert.equal(put.code, 0, put.stdout);
  const { properties } = JSON.parse(put.stdout);
  assert.deepEqual(
    [properties.size, properties.nested, properties.provisioningState],
    [3, { inner: "1" }, "Succeeded"],
  );
  assert.deepEqual(JSON.parse(get.stdout), JSON.parse(put.stdout));
  assert.equal(removed.code, 0, removed.stderr);
  assert.equal(gone.code, 1);
});

test("an answer of 400 and above is on stdout, and the exit code is 1", async () => {
  const missing = await rad(["api", `${widgets}/nosuch`]);
  const refused = await rad(["api", "PUT", `${widgets}/bad`, "-f", "properties[size]=large", "-o", "json"]);

  assert.equal(missing.code, 1);
  assert.equal(JSON.parse(missing.stdout).error.code, "NotFound");
  assert.match(missing.stderr, /^HTTP 404 Not Found\nTraceId: {2}[0-9a-f]{32}\n$/);
  assert.equal(refused.code, 1);
  assert.match(JSON.stringify(JSON.parse(refused.stdout)), /properties\.size/);
});

test("an unregistered type is explained by the control plane", async () => {
  const { code, stdout } = await rad(["api", "providers/No.Such/things"]);

  assert.equal(code, 1);
  assert.match(stdout, /"error"/);
});

test("the body comes from a file or from stdin, byte by byte", async () => {
  await writeFile(join(sandbox.home, "w.json"), JSON.stringify({ properties: { environment, size: 5 } }));

  const file = await rad(["api", "PUT", `${widgets}/file`, "--input", "w.json", "--wait"]);
  const existing = ["api", "PUT", `${widgets}/file`, "--input", "-", "-H", "If-None-Match: *"];
  const stdin = await rad(existing, { stdin: JSON.stringify({ properties: { environment } }) });

  assert.equal(JSON.parse(file.stdout).properties.size, 5);
  assert.equal(stdin.code, 1);
  assert.match(stdin.stderr, /^HTTP 412/);
});

for (const [what, args] of [
  ["a word that is no method", ["FETCH", "/planes"]],
  ["a body with GET", ["GET", "/planes", "--input", "-"]],
  ["--paginate with PUT", ["PUT", "/planes/x", "--paginate"]],
  ["--wait with GET", ["/planes", "--wait"]],
  ["fields and --input", ["PUT", "/planes/x", "-f", "a=1", "--input", "-"]],
  ["a header without a colon", ["GET", "/planes", "-H", "canary-3f7"]],
  ["a header with a line break", ["GET", "/planes", "-H", "X: canary-3f7\r\nY: 1"]],
] as const) {
  test(`${what} is refused before anything is sent`, async () => {
    const { code, stderr } = await rad(["api", ...args]);

    assert.equal(code, 1);
    assert.match(stderr, /Code: {2}InvalidUsage\n\n$/);
    assert.doesNotMatch(stderr, /canary-3f7/);
  });
}

test("a path with dots and a link to another host are refused", async () => {
  const dots = await rad(["api", "/planes/../audit"]);
  const elsewhere = await rad(["api", "http://canary-3f7:x@127.0.0.1:1/x"]);

  assert.match(dots.stderr, /Code: {2}InvalidPath/);
  assert.match(elsewhere.stderr, /^http:\/\/127\.0\.0\.1:1 is not the .* Use a path.*\nCode: {2}UntrustedLink\n\n$/);
});

test("the token is sent and never shown", async () => {
  const token = (await readFile(server.tokenFile, "utf8")).trim();
  for (const args of [
    ["api", scope, "-i", "--debug"],
    ["api", "/planes/../x", "--debug"],
    ["api", `${widgets}/nosuch`, "--debug"],
    ["api", scope, "-H", "Authorization: Bearer wrong", "--debug"],
  ]) {
    const { stdout, stderr } = await rad(args);

    assert.ok(!`${stdout}${stderr}`.includes(token), args.join(" "));
  }
});

test("--paginate prints a list whole", async () => {
  await using paged = await startTestServer({ pageSize: 2 });
  await using alone = await createSandbox();
  await alone.rad(["workspace", "create", "server", "a", "--url", paged.url]);
  for (const name of ["a", "b", "c", "d", "e"]) {
    await alone.rad(["group", "create", name]);
  }
  const groups = "/planes/radius/local/resourceGroups";

  const first = JSON.parse((await alone.rad(["api", groups])).stdout);
  const all = JSON.parse((await alone.rad(["api", groups, "--paginate"])).stdout);
  const none = await alone.rad(["api", `${groups}/a`, "--paginate"]);

  assert.equal(first.value.length, 2);
  assert.deepEqual(
    all.value.map(({ name }: { name: string }) => name),
    ["a", "b", "c", "d", "e"],
  );
  assert.ok(!("nextLink" in all));
  assert.match(none.stderr, /Code: {2}UnexpectedResponse/);
});

test("--wait prints the error of an operation that fails, and exits with 1", async () => {
  const status = "/planes/radius/local/providers/Contoso.Test/locations/global/operationStatuses/1";
  await using failing = await startTestServer({
    intercept: ({ method, path, headers }, response) => {
      const link = `http://${headers.host}/apis/api.ucp.dev/v1alpha3${status}?api-version=1`;
      if (method === "PUT" && path.includes("/widgets/")) {
        response.writeHead(201, { "azure-asyncoperation": link }).end("{}");
        return true;
      }
      if (path.includes("/operationStatuses/")) {
        response.end(
          JSON.stringify({ id: status, name: "1", status: "Failed", error: { code: "Broken", message: "no" } }),
        );
        return true;
      }
      return false;
    },
  });
  await using alone = await createSandbox();
  await alone.rad(["workspace", "create", "server", "a", "--url", failing.url]);

  const { code, stdout, stderr } = await alone.rad(["api", "PUT", `${widgets}/w?api-version=1`, "-f", "a=b", "--wait"]);

  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(stdout), { error: { code: "Broken", message: "no" } });
  assert.match(stderr, /^Error: no\nCode: {2}Broken\n/);
});
