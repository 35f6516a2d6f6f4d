import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { isJsonObject, type JsonObject, objectMember } from "@rad/core";
import type { KubernetesObject, ObjectTarget } from "@rad/kubernetes";
import type { ConfigOverrides } from "../../config/index.ts";
import { findInFiles } from "../../testing/find-in-files.ts";
import { assign, configuredTokens, createIdentity } from "../../testing/identities.ts";
import { local, type Reply, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";

export interface StoreTarget extends AsyncDisposable {
  readonly target: ObjectTarget;
  /** The section of the configuration that leads the server there. */
  readonly kubernetes: NonNullable<ConfigOverrides["kubernetes"]>;
  /** Writes a Secret in the namespace `own("others")`, or in that of the control plane, as somebody else. */
  make(secret: KubernetesObject): Promise<unknown>;
  /** Puts namespaces and stores apart from those of other tests. */
  own(name: string): string;
  /** Where the target itself keeps files; no value may be in them. */
  readonly folder?: string;
}

const v = "api-version=2023-10-01-preview";
const group = `${local}/resourcegroups/stores`;
const application = `${group}/providers/Applications.Core/applications/shop`;
/** Where Secrets of global stores go. */
const controlPlane = "radius-system";
const signal = AbortSignal.timeout(600_000);

/** What secret stores promise on every target. */
export function describeSecretStores(targetName: string, open: () => Promise<StoreTarget>): void {
  let server: TestServer;
  let place: StoreTarget;
  let environment = "";
  const reader = createIdentity("reader");

  before(async () => {
    place = await open();
    server = await startTestServer({
      overrides: {
        kubernetes: place.kubernetes,
        authentication: configuredTokens(reader),
        authorization: { assignments: [assign("radius-reader", reader, "/")] },
      },
    });
    await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  const at = (name: string, action = ""): string =>
    `${group}/providers/Applications.Core/secretStores/${place.own(name)}${action}?${v}`;
  const put = (name: string, properties: JsonObject): Promise<Reply> =>
    server.call("PUT", at(name), { body: { properties } });
  const list = (name: string): Promise<Reply> => server.call("POST", at(name, "/listSecrets"), { body: {} });
  const remove = (name: string): Promise<Reply> => server.call("DELETE", at(name));
  const secret = (namespace: string, name: string): Promise<KubernetesObject | undefined> =>
    place.target.read({ group: "", kind: "Secret", namespace, name }, { signal });
  const make = async (name: string, data: Record<string, string>): Promise<string> => {
    const namespace = place.own("others");
    const metadata = { name, namespace };
    await place.make({ apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", data: encoded(data) });
    return `${namespace}/${name}`;
  };
  const keepsValues = (): boolean => place.target.kind === "cluster";

  it(`${targetName}: a store of neither application nor environment is the first resource of a control plane`, async () => {
    const reply = await put("token", {
      type: "generic",
      data: { pat: { value: "canary-pat" }, username: { value: "canary-user" } },
    });

    assert.equal(reply.status, 200, reply.text);
    const { resource, status } = objectMember(reply.body, "properties");
    assert.equal(resource, `${controlPlane}/${place.own("token")}`);
    assert.deepEqual(objectMember({ status: status ?? null }, "status")["outputResources"], [
      {
        localId: "Secret",
        id: `/planes/kubernetes/local/namespaces/${controlPlane}/providers/core/Secret/${place.own("token")}`,
        radiusManaged: true,
      },
    ]);
    const made = await secret(controlPlane, place.own("token"));
    assert.deepEqual([made?.["type"], made?.metadata.labels?.["radapp.io/application"]], ["Opaque", ""]);
    assert.deepEqual(Object.keys(objectMember(made ?? {}, "data")), ["pat", "username"]);
    assert.deepEqual((await list("token")).body, {
      type: "generic",
      data: { pat: { encoding: "raw", value: "canary-pat" }, username: { encoding: "raw", value: "canary-user" } },
    });
  });

  it(`${targetName}: values are in no answer but listSecrets, which needs a right of its own`, async () => {
    const stored = await put("quiet", { data: { key: { value: "canary-quiet" } } });
    const shown = await server.call("GET", at("quiet"));
    const listed = await server.call("GET", `${group}/providers/Applications.Core/secretStores?${v}`);
    const refused = await server.call("POST", at("quiet", "/listSecrets"), { token: reader.token });

    for (const reply of [stored, shown, listed, refused]) {
      assert.doesNotMatch(reply.text, /canary-/);
    }
    assert.equal(refused.status, 403);
    assert.match((await list("quiet")).text, /canary-quiet/);
    for (const folder of [server.directory, place.folder ?? server.directory]) {
      assert.deepEqual(await findInFiles(folder, "canary-"), []);
    }
  });

  it(`${targetName}: an existing Secret is read where it is, and stays when the store goes`, async () => {
    const resource = await make("existing", { "tls.pat": "canary-old", "tls.username": "ann", other: "x" });

    const stored = await put("referring", { resource, data: { "tls.pat": {}, "tls.username": {} } });

    assert.equal(stored.status, 200, stored.text);
    assert.equal(objectMember(stored.body, "properties")["resource"], resource);
    const before = await secret(place.own("others"), "existing");
    assert.equal(before?.metadata.labels, undefined);
    assert.deepEqual(Object.keys(objectMember(before ?? {}, "data")).toSorted(), ["other", "tls.pat", "tls.username"]);
    if (keepsValues()) {
      assert.deepEqual(objectMember((await list("referring")).body, "data")["tls.pat"], {
        encoding: "raw",
        value: "canary-old",
      });
      await make("existing", { "tls.pat": "canary-new", "tls.username": "ann", other: "x" });
      assert.match((await list("referring")).text, /canary-new/);
    } else {
      const answer = await list("referring");
      assert.deepEqual([answer.status, answer.code], [500, "Internal"]);
    }
    assert.equal((await remove("referring")).status, 200);
    assert.notEqual(await secret(place.own("others"), "existing"), undefined);
  });

  it(`${targetName}: a Secret or a key that is not there is refused with namespace, name and key`, async () => {
    const resource = await make("short", { there: "x" });

    const noKey = await put("no-key", { resource, data: { there: {}, gone: {} } });
    const noSecret = await put("no-secret", { resource: `${place.own("others")}/absent`, data: { key: {} } });

    assert.deepEqual([noKey.status, noKey.code], [400, "BadRequest"]);
    assert.match(noKey.text, new RegExp(`'${resource}' resource does not have key, 'gone'`));
    assert.deepEqual([noSecret.status, noSecret.code], [400, "BadRequest"]);
    assert.match(noSecret.text, /others[^']*\/absent' referenced resource does not exist.*'key'/);
    assert.equal((await server.call("GET", at("no-key"))).status, 404);
  });

  it(`${targetName}: a store of an application has its Secret in the application's namespace`, async () => {
    environment = `${group}/providers/Applications.Core/environments/env`;
    const namespace = place.own("env");
    const compute = { kind: "kubernetes", namespace };
    await server.call("PUT", `${environment}?${v}`, { body: { location: "global", properties: { compute } } });
    await server.call("PUT", `${application}?${v}`, { body: { location: "global", properties: { environment } } });

    const ofApplication = await put("Bound", { application, data: { key: { value: "v" } } });
    const ofEnvironment = await put("shared", { environment, data: { key: { value: "v" } } });
    const missing = await put("named", { application, resource: "absent", data: { key: { value: "v" } } });

    assert.equal(objectMember(ofApplication.body, "properties")["resource"], `${namespace}-shop/${place.own("bound")}`);
    assert.equal(
      (await secret(`${namespace}-shop`, place.own("bound")))?.metadata.labels?.["radapp.io/application"],
      "shop",
    );
    assert.equal(objectMember(ofEnvironment.body, "properties")["resource"], `${namespace}/${place.own("shared")}`);
    assert.match(missing.text, /shop\/absent' referenced resource does not exist/);
    assert.equal((await remove("Bound")).status, 200);
    assert.equal(await secret(`${namespace}-shop`, place.own("bound")), undefined);
    assert.equal((await list("Bound")).status, 404);
  });

  const types: readonly (readonly [type: string, keys: readonly string[], secretType: string | undefined])[] = [
    ["generic", ["any"], "Opaque"],
    ["certificate", ["tls.crt", "tls.key"], "kubernetes.io/tls"],
    ["basicAuthentication", ["username", "password"], undefined],
    ["azureWorkloadIdentity", ["clientId", "tenantId"], undefined],
    ["awsIRSA", ["roleARN"], undefined],
  ];
  for (const [type, keys, secretType] of types) {
    it(`${targetName}: a store of the type ${type} has its keys, decoded in the Secret`, async () => {
      const name = `of-${type.toLowerCase()}`;
      const data: JsonObject = Object.fromEntries(keys.map((key) => [key, { value: "aHVzaA==", encoding: "base64" }]));

      const stored = await put(name, { type, data });

      assert.equal(stored.status, 200, stored.text);
      const made = await secret(controlPlane, place.own(name));
      // An API server fills the type in.
      assert.equal(made?.["type"], secretType ?? (keepsValues() ? "Opaque" : undefined));
      if (keepsValues()) {
        assert.deepEqual(objectMember(made ?? {}, "data"), Object.fromEntries(keys.map((key) => [key, "aHVzaA=="])));
      }
      for (const entry of Object.values(objectMember((await list(name)).body, "data"))) {
        assert.equal(isJsonObject(entry) ? entry["encoding"] : "", "base64");
      }
      const [missing = ""] = keys;
      const { [missing]: _left, ...rest } = data;
      const refused = await put(`${name}-short`, { type, data: { ...rest, more: { value: "eA==" } } });
      assert.equal(refused.status, type === "generic" ? 200 : 400);
      if (type !== "generic") {
        assert.match(refused.text, new RegExp(`must contain '${missing}' key for ${type} type`));
      }
    });
  }

  const refusals: readonly (readonly [what: string, properties: JsonObject, target: RegExp])[] = [
    ["raw certificates", { type: "certificate", data: { "tls.crt": { value: "x", encoding: "raw" } } }, /encoding/],
    ["valueFrom", { data: { key: { valueFrom: { name: "n" } } } }, /valueFrom/],
    ["a value that is not base64", { data: { key: { value: "canary!", encoding: "base64" } } }, /key/],
    ["keys that a Secret cannot have", { data: { "a/b": { value: "x" } } }, /a\/b/],
    ["a place that is no Secret", { resource: "a/b/c", data: {} }, /\$\.properties\.resource/],
    ["a key without a value or a Secret", { data: { key: {} } }, /key\.value is missing/],
    ["an application that is not there", { application: `${application}-gone`, data: {} }, /does not exist/],
  ];
  for (const [what, properties, target] of refusals) {
    it(`${targetName}: a store refuses ${what}`, async () => {
      const reply = await put("refused", properties);

      assert.deepEqual([reply.status, reply.code], [400, "BadRequest"], reply.text);
      assert.match(reply.text, target);
      assert.doesNotMatch(reply.text, /canary/);
      assert.equal((await server.call("GET", at("refused"))).status, 404);
    });
  }

  it(`${targetName}: neither the type nor the Secret of a store can change`, async () => {
    await put("fixed", { data: { key: { value: "v" } } });

    const type = await put("fixed", { type: "basicAuthentication", data: { username: {}, password: {} } });
    const resource = await put("fixed", { resource: "other", data: { key: {} } });

    assert.match(type.text, /'basicAuthentication' of \$\.properties\.type must be same as 'generic'/);
    assert.match(resource.text, /'other' of \$\.properties\.resource must be same as '[^']*\/fixed[^']*'/);
  });

  it(`${targetName}: a store that is sent back as it was read keeps its values, and one left out goes`, async () => {
    await put("again", { data: { one: { value: "first" }, two: { value: "second" }, three: { value: "third" } } });
    const { body } = await server.call("GET", at("again"));
    const { three: _three, ...rest } = objectMember(objectMember(body, "properties"), "data");

    const sent = await put("again", { ...objectMember(body, "properties"), data: { ...rest, two: { value: "2nd" } } });

    assert.equal(sent.status, 200, sent.text);
    assert.deepEqual((await list("again")).body["data"], {
      one: { encoding: "raw", value: "first" },
      two: { encoding: "raw", value: "2nd" },
    });
    assert.deepEqual(Object.keys(objectMember((await secret(controlPlane, place.own("again"))) ?? {}, "data")), [
      "one",
      "two",
    ]);
  });

  it(`${targetName}: deleting a global store removes the Secret that it made`, async () => {
    await put("short-lived", { data: { key: { value: "v" } } });
    assert.notEqual(await secret(controlPlane, place.own("short-lived")), undefined);

    assert.equal((await remove("short-lived")).status, 200);

    assert.equal(await secret(controlPlane, place.own("short-lived")), undefined);
  });

  it(`${targetName}: a Secret that the store names gets the values that are given, and keeps everything else`, async () => {
    const resource = await make("named", { theirs: "t", other: "x" });
    const keys = async (): Promise<string[]> =>
      Object.keys(objectMember((await secret(place.own("others"), "named")) ?? {}, "data")).toSorted();

    const first = await put("giving", { resource, data: { one: { value: "1" }, two: { value: "2" } } });
    const second = await put("giving", { resource, data: { one: { value: "1st" }, two: {} } });

    assert.deepEqual([first.status, second.status], [200, 200], first.text + second.text);
    assert.deepEqual(await keys(), ["one", "other", "theirs", "two"]);
    assert.deepEqual((await list("giving")).body["data"], {
      one: { encoding: "raw", value: "1st" },
      two: { encoding: "raw", value: "2" },
    });
    assert.equal((await remove("giving")).status, 200);
    assert.deepEqual(await keys(), ["one", "other", "theirs", "two"]);
  });

  it(`${targetName}: a Secret of somebody else is not taken over`, async () => {
    const metadata = { name: place.own("taken"), namespace: controlPlane };
    const data = encoded({ key: "theirs" });
    await place.make({ apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", data });

    const reply = await put("taken", { data: { key: { value: "ours" } } });

    assert.deepEqual([reply.status, reply.code], [409, "Conflict"], reply.text);
    assert.match(reply.text, /taken[^']*' in .* does not belong to this secret store/);
  });
}

function encoded(data: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")]));
}
