// Many recipes at once, and what they download.
import assert from "node:assert/strict";
import { it } from "node:test";
import { databases } from "../support/database.ts";
import { createPlatform, deleteBucket, deployBucket, openRecipeRig } from "./recipe-rig.ts";

it("20 recipes run at once, each with its own settings, and a second run of an unchanged recipe downloads nothing", async () => {
  await using rig = await openRecipeRig();
  await using database = await databases.sqlite();
  await using server = await database.startServer(rig.config(database.folder));
  await rig.prepare(server);
  const names = Array.from({ length: 20 }, (_, index) => `many-${index}`);
  const environments = new Map<string, string>();
  for (const name of names) {
    environments.set(name, await createPlatform(rig, server, { name, env: { MARK: name } }));
  }
  const deploy = (team: string) =>
    Promise.all(
      names.map((name) =>
        deployBucket(server, name, { environment: environments.get(name) ?? "", bucketName: name, team }),
      ),
    );

  const deployed = await deploy("red");

  assert.deepEqual(
    deployed.map(({ arn }) => arn),
    names.map((name) => `arn:aws:s3:::${name}`),
  );
  assert.equal(rig.cloud.count("create"), 20);
  const marks = new Map(
    rig.cloud.requests
      .filter(({ action }) => action === "configure")
      .map(({ terraformPid, environment }) => [terraformPid, environment.find((line) => line.startsWith("MARK="))]),
  );
  for (const { terraformPid, id } of rig.cloud.requests.filter(({ action }) => action === "create")) {
    assert.equal(marks.get(terraformPid), `MARK=${id}`, "a run sees its own settings only");
  }
  const archives = () =>
    [...rig.mirror.requests, ...rig.registry.requests].filter(({ path }) => path.startsWith("/open/"));
  const before = archives().length;
  await deploy("blue");
  assert.equal(archives().length, before, "no archive is downloaded again");
  assert.deepEqual([rig.cloud.count("create"), rig.cloud.count("update")], [20, 20]);
  await Promise.all(names.map((name) => deleteBucket(server, name)));
  assert.deepEqual(rig.cloud.objects(), []);
});
