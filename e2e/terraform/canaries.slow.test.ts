// A URL with a user, a password and a signed query, and a private CA: the download uses them, and nobody else sees them.
import assert from "node:assert/strict";
import { it } from "node:test";
import { auditLines } from "../support/api.ts";
import { CrashingServer } from "../support/crashing-server.ts";
import { databases } from "../support/database.ts";
import { readStatus, send, settled } from "./installer-api.ts";
import { openRig } from "./installer-rig.ts";
import { runCurrent } from "./volume-look.ts";

const canaries = { user: "canary-user-51", password: "canary-password-52", query: "canary-signature-53" };

for (const kind of Object.keys(databases) as (keyof typeof databases)[]) {
  it(`${kind}: secrets of a URL reach the mirror, and no file, log, status, audit record, metric or error`, async () => {
    await using rig = await openRig(kind);
    const { installer: settings } = rig.config.terraform as { installer: Record<string, unknown> };
    const { caBundle: _, ...installer } = settings;
    await using server = new CrashingServer(rig.database, { ...rig.config, terraform: { installer } });
    await server.start();
    const good = await rig.mirror.publish("terraform", "1.6.4");
    const bad = await rig.mirror.publish("terraform", "1.7.0");
    rig.mirror.fault(/1\.7\.0.*zip$/u, { kind: "corrupt", at: 200 });
    const ca = rig.mirror.ca.split("\n").slice(1, 3).join("");

    for (const { version, url, checksum } of [good, bad]) {
      const secret = new URL(url);
      secret.username = canaries.user;
      secret.password = canaries.password;
      secret.search = `?X-Signature=${canaries.query}`;
      const source = { url: secret.href, checksum, caBundle: rig.mirror.ca };
      const reply = await send(server.running, "POST", "install", { version, source });
      assert.equal(reply.status, 202, JSON.stringify(reply.body));
      server.saw(reply);
      server.saw(await readStatus(server.running));
      server.saw(await settled(server.running));
    }
    const withoutCa = await send(server.running, "POST", "install", { version: "1.7.0" });
    server.saw(withoutCa);
    const status = await settled(server.running);
    server.saw(await auditLines(server.running));
    const metrics = await metricsOf(server.running);
    server.saw(metrics);
    await server.stop();

    const asked = rig.mirror.requests.filter(({ path }) => path.endsWith(".zip"));
    const authorization = `Basic ${Buffer.from(`${canaries.user}:${canaries.password}`).toString("base64")}`;
    assert.ok(
      asked.some((request) => request.authorization === authorization && request.query.includes(canaries.query)),
    );
    assert.equal(status.source?.url, good.url);
    assert.equal(status.source.checksum, `sha256:${good.checksum}`);
    assert.deepEqual([status.state, status.currentVersion], ["ready", "1.6.4"]);
    assert.match(status.history[1]?.error ?? "", /checksum|sha-?256/iu);
    assert.match(status.history[0]?.error ?? "", /--ca-bundle/u);
    assert.equal(await runCurrent(rig.root), "Terraform v1.6.4");
    assert.match(
      metrics,
      /radius_terraform_installer_jobs\w*\{[^}]*operation="install"[^}]*outcome="succeeded"[^}]*\} 1\b/u,
    );
    assert.match(
      metrics,
      /radius_terraform_installer_jobs\w*\{[^}]*operation="install"[^}]*outcome="failed"[^}]*\} 2\b/u,
    );
    assert.match(metrics, /radius_terraform_active_version\{[^}]*version="1\.6\.4"[^}]*\} 1\b/u);
    assert.match(metrics, /radius_terraform_installer_queue_depth\{[^}]*state="waiting"[^}]*\} 0\b/u);
    for (const secret of [
      ...Object.values(canaries),
      Buffer.from(`${canaries.user}:${canaries.password}`).toString("base64"),
      ca,
    ]) {
      await server.assertNowhere(secret);
    }
  });
}

async function metricsOf(server: { readonly url: string; readonly token: string }): Promise<string> {
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${server.token}` } });
  return await response.text();
}
