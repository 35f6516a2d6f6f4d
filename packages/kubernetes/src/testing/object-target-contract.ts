import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubernetesObject, ObjectName } from "../kubernetes-object.ts";
import { nameOf } from "../kubernetes-object.ts";
import type { ObjectTarget } from "../object-target.ts";

export interface ObjectTargetFixture extends AsyncDisposable {
  readonly target: ObjectTarget;
  /** The same place, opened once more, as after a restart. */
  reopen(): Promise<ObjectTarget & AsyncDisposable>;
  /** A namespace that no other test uses; nothing is in it, and it need not exist. */
  namespace(): string;
  /** Sets `data.<key>` of a ConfigMap as somebody else. */
  meddle(name: ObjectName, key: string, value: string): Promise<void>;
}

/** What every ObjectTarget promises. Each implementation's test file calls this once. */
export function describeObjectTarget(label: string, open: () => Promise<ObjectTargetFixture>): void {
  const { signal } = new AbortController();
  const options = { signal };

  test(`${label} tells what applying an object has done`, async () => {
    await using fixture = await open();
    const { target } = fixture;
    const object = configMap(fixture.namespace(), "settings", { colour: "blue" });

    const first = await target.apply(object, options);
    const second = await target.apply(object, options);
    const third = await target.apply(withData(object, { colour: "red" }), options);

    assert.deepEqual([first.change, second.change, third.change], ["created", "unchanged", "changed"]);
    assert.deepEqual(third.object["data"], { colour: "red" });
    assert.deepEqual((await target.read(nameOf(object), options))?.["data"], { colour: "red" });
  });

  test(`${label} knows after a restart that nothing has changed`, async () => {
    await using fixture = await open();
    const object = configMap(fixture.namespace(), "settings", { colour: "blue" });
    await fixture.target.apply(object, options);
    // A cluster keeps the time of a change to the second.
    await new Promise((resolve) => setTimeout(resolve, fixture.target.kind === "cluster" ? 2_100 : 0));

    await using reopened = await fixture.reopen();
    const same = await reopened.apply(object, options);
    const other = await reopened.apply(withData(object, { colour: "red" }), options);

    assert.deepEqual([same.change, other.change], ["unchanged", "changed"]);
  });

  test(`${label} removes members that an object no longer has`, async () => {
    await using fixture = await open();
    const object = configMap(fixture.namespace(), "settings", { colour: "blue", size: "large" });
    await fixture.target.apply(object, options);

    await fixture.target.apply(withData(object, { size: "large" }), options);

    assert.deepEqual((await fixture.target.read(nameOf(object), options))?.["data"], { size: "large" });
  });

  test(`${label} previews without a change`, async () => {
    await using fixture = await open();
    const { target } = fixture;
    const namespace = fixture.namespace();
    const object = configMap(namespace, "settings", { colour: "blue" });

    const created = await target.preview(object, options);
    assert.equal(created.change, "created");
    assert.equal(created.before, undefined);
    assert.deepEqual(created.after["data"], { colour: "blue" });
    assert.equal(await target.read(nameOf(object), options), undefined);

    await target.apply(object, options);
    const unchanged = await target.preview(object, options);
    const changed = await target.preview(withData(object, { colour: "red" }), options);

    assert.equal(unchanged.change, "unchanged");
    assert.equal(changed.change, "changed");
    assert.deepEqual([changed.before?.["data"], changed.after["data"]], [{ colour: "blue" }, { colour: "red" }]);
    assert.deepEqual((await target.read(nameOf(object), options))?.["data"], { colour: "blue" });
    assert.equal((await target.preview(configMap(namespace, "other", {}), options)).change, "created");
  });

  test(`${label} has nothing under names and kinds that nobody has applied`, async () => {
    await using fixture = await open();
    const namespace = fixture.namespace();

    assert.equal(await fixture.target.read(nameOf(configMap(namespace, "absent", {})), options), undefined);
    const unknown = { group: "nobody.example.com", kind: "Nothing", namespace, name: "absent" };
    assert.equal(await fixture.target.read(unknown, options), undefined);
    await fixture.target.delete(nameOf(configMap(namespace, "absent", {})), options);
    await fixture.target.delete(unknown, options);
  });

  test(`${label} deletes one object, once and again`, async () => {
    await using fixture = await open();
    const { target } = fixture;
    const namespace = fixture.namespace();
    const [one, other] = [configMap(namespace, "one", { a: "1" }), configMap(namespace, "other", { a: "1" })];
    await target.apply(one, options);
    await target.apply(other, options);

    await target.delete(nameOf(one), options);
    await target.delete(nameOf(one), options);

    assert.equal(await target.read(nameOf(one), options), undefined);
    assert.notEqual(await target.read(nameOf(other), options), undefined);
    assert.equal((await target.apply(one, options)).change, "created");
  });

  test(`${label} does not overwrite what somebody else has changed`, async () => {
    await using fixture = await open();
    const { target } = fixture;
    const object = configMap(fixture.namespace(), "settings", { colour: "blue" });
    await target.apply(object, options);
    await fixture.meddle(nameOf(object), "colour", "green");

    await assert.rejects(target.apply(object, options), { name: "ApiError", code: "Conflict" });
    await assert.rejects(target.preview(object, options), { name: "ApiError", code: "Conflict" });

    assert.deepEqual((await target.read(nameOf(object), options))?.["data"], { colour: "green" });
    const agreed = await target.apply(withData(object, { colour: "green" }), options);
    assert.deepEqual(agreed.object["data"], { colour: "green" });
    await target.delete(nameOf(object), options);
    assert.equal(await target.read(nameOf(object), options), undefined);
  });

  test(`${label} has the namespace of an object, as ours, before the object`, async () => {
    await using fixture = await open();
    const namespace = fixture.namespace();

    await fixture.target.apply(configMap(namespace, "settings", {}), options);

    const found = await fixture.target.read({ group: "", kind: "Namespace", name: namespace }, options);
    assert.equal(found?.metadata.labels?.["app.kubernetes.io/managed-by"], "radius-rp");
  });

  test(`${label} keeps objects of one name apart by kind and namespace`, async () => {
    await using fixture = await open();
    const { target } = fixture;
    const [here, there] = [fixture.namespace(), fixture.namespace()];
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "web", namespace: here } };
    await target.apply(configMap(here, "web", { place: "here" }), options);
    await target.apply(configMap(there, "web", { place: "there" }), options);
    await target.apply(account, options);

    await target.delete(nameOf(configMap(here, "web", {})), options);

    assert.notEqual(await target.read(nameOf(account), options), undefined);
    assert.deepEqual((await target.read(nameOf(configMap(there, "web", {})), options))?.["data"], { place: "there" });
  });

  test(`${label} has objects without a namespace`, async () => {
    await using fixture = await open();
    const { target } = fixture;
    const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];
    const role = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: `radius:Test_${fixture.namespace()}` },
      rules,
    };

    assert.equal((await target.apply(role, options)).change, "created");
    assert.deepEqual((await target.read(nameOf(role), options))?.["rules"], rules);
    assert.equal((await target.apply(role, options)).change, "unchanged");

    await target.delete(nameOf(role), options);
    assert.equal(await target.read(nameOf(role), options), undefined);
  });

  const malformed: Record<string, Record<string, unknown>> = {
    "no apiVersion": { apiVersion: undefined },
    "an apiVersion with too many parts": { apiVersion: "a/b/c" },
    "no kind": { kind: undefined },
    "a kind that leads elsewhere": { kind: "../Secret" },
    "no metadata": { metadata: undefined },
    "no name": { metadata: { generateName: "web-" } },
    "a name that leads elsewhere": { metadata: { name: "../../other" } },
    "a name of dots": { metadata: { name: ".." } },
    "a namespace that leads elsewhere": { metadata: { name: "web", namespace: "../.." } },
  };
  test(`${label} refuses objects that no cluster could have`, async () => {
    await using fixture = await open();
    for (const [problem, members] of Object.entries(malformed)) {
      const object = JSON.parse(
        JSON.stringify({ ...configMap(fixture.namespace(), "web", {}), ...members }),
      ) as KubernetesObject;

      await assert.rejects(fixture.target.apply(object, options), { name: "ApiError", code: "BadRequest" }, problem);
      await assert.rejects(fixture.target.preview(object, options), { name: "ApiError", code: "BadRequest" }, problem);
    }
    const names = [
      { group: "", kind: "ConfigMap", name: "../other" },
      { group: "", kind: "Config/Map", name: "other" },
      { group: "../..", kind: "ConfigMap", name: "other" },
    ];
    for (const name of names) {
      await assert.rejects(fixture.target.read(name, options), { code: "BadRequest" });
      await assert.rejects(fixture.target.delete(name, options), { code: "BadRequest" });
    }
  });

  test(`${label} takes many objects at once`, async () => {
    await using fixture = await open();
    const namespace = fixture.namespace();
    const objects = Array.from({ length: 40 }, (_, index) =>
      configMap(namespace, `many-${index}`, { a: String(index) }),
    );

    const first = await Promise.all(objects.map((object) => fixture.target.apply(object, options)));
    const again = await Promise.all(objects.map((object) => fixture.target.apply(object, options)));
    await Promise.all(objects.map((object) => fixture.target.delete(nameOf(object), options)));

    assert.deepEqual(new Set(first.map(({ change }) => change)), new Set(["created"]));
    assert.deepEqual(new Set(again.map(({ change }) => change)), new Set(["unchanged"]));
    const left = await Promise.all(objects.map((object) => fixture.target.read(nameOf(object), options)));
    assert.deepEqual(new Set(left), new Set([undefined]));
  });

  test(`${label} takes two applies of the same object at once`, async () => {
    await using fixture = await open();
    const object = configMap(fixture.namespace(), "settings", { colour: "blue" });

    const changes = await Promise.all([1, 2, 3, 4].map(async () => await fixture.target.apply(object, options)));

    assert.equal(changes.filter(({ change }) => change === "created").length, 1);
    assert.deepEqual((await fixture.target.read(nameOf(object), options))?.["data"], { colour: "blue" });
  });

  test(`${label} says nothing of a Secret's values`, async () => {
    await using fixture = await open();
    const canary = "canary-7f3a91-value";
    const secret = (data: Record<string, unknown>): KubernetesObject => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "credentials", namespace: fixture.namespace(), ...(data["metadata"] as object | undefined) },
      type: "Opaque",
      data: data as Record<string, string>,
    });
    const encoded = Buffer.from(canary).toString("base64");

    const { change, object } = await fixture.target.apply(secret({ password: encoded }), options);

    assert.equal(change, "created");
    assert.deepEqual(Object.keys(object["data"] as object), ["password"]);
    if (fixture.target.kind === "folder") {
      assert.ok(!JSON.stringify(object).includes(encoded));
      return;
    }
    for (const wrong of [{ password: canary }, { "not/a key": encoded }, { password: { text: canary } }]) {
      const error = await fixture.target.apply(secret(wrong), options).catch((thrown: unknown) => thrown);
      assert.equal((error as { name: string }).name, "ApiError");
      const text = `${String(error)} ${JSON.stringify(error)} ${String((error as Error).cause)}`;
      assert.ok(!text.includes(canary) && !text.includes(encoded), text);
    }
  });

  test(`${label} does nothing once its caller has given up`, async () => {
    await using fixture = await open();
    const object = configMap(fixture.namespace(), "settings", { colour: "blue" });
    const given = { signal: AbortSignal.abort(new Error("given up")) };

    await assert.rejects(fixture.target.apply(object, given), { message: "given up" });
    await assert.rejects(fixture.target.preview(object, given), { message: "given up" });
    await assert.rejects(fixture.target.read(nameOf(object), given), { message: "given up" });
    await assert.rejects(fixture.target.delete(nameOf(object), given), { message: "given up" });

    assert.equal(await fixture.target.read(nameOf(object), options), undefined);
  });

  test(`${label} waits for nothing where there is nothing to wait for, and serves the usual kinds`, async () => {
    await using fixture = await open();
    const object = configMap(fixture.namespace(), "settings", { colour: "blue" });
    await fixture.target.apply(object, options);

    assert.deepEqual((await fixture.target.ready(object, options))["data"], { colour: "blue" });
    assert.equal(await fixture.target.serves("apps", "Deployment", options), true);
    assert.equal(await fixture.target.serves("", "Service", options), true);
  });
}

function configMap(namespace: string, name: string, data: Record<string, string>): KubernetesObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data };
}

function withData(object: KubernetesObject, data: Record<string, string>): KubernetesObject {
  return { ...object, data };
}
