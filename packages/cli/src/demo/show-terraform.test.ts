import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import type { CliHost } from "../host.ts";
import { standIn } from "../testing/stand-in-terraform.ts";
import { showTerraform } from "./show-terraform.ts";

interface Shown {
  readonly lines: string[];
  readonly commands: string[][];
}

/** The demo's part in a folder of its own. @param run of each command */
async function show(
  programs: Readonly<Record<string, string>>,
  options: {
    readonly hasMirror?: boolean;
    readonly run?: (args: readonly string[], folder: string) => Promise<number>;
  } = {},
): Promise<Shown> {
  const folder = await mkdtemp(join(tmpdir(), "rad-show-terraform-"));
  const bin = join(folder, "bin");
  await mkdir(bin);
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(join(bin, name), text, { mode: 0o755 });
  }
  const nowhere = new Writable({ write: (_, __, done) => done() });
  const host: CliHost = {
    env: { PATH: `${join(folder, "nowhere")}:${bin}` },
    cwd: folder,
    home: folder,
    stdin: Readable.from([]),
    stdout: nowhere,
    stderr: nowhere,
    signal: new AbortController().signal,
  };
  const shown: Shown = { lines: [], commands: [] };
  await showTerraform({
    host,
    folder,
    hasMirror: options.hasMirror ?? false,
    say: (line) => shown.lines.push(line.trim()),
    run: async (...args) => {
      shown.commands.push([...args]);
      return (await options.run?.(args, folder)) ?? 0;
    },
  });
  await rm(folder, { recursive: true });
  return shown;
}

test("the mirror of the demo serves the program of the PATH with the checksum and the authority that the command names", async () => {
  const program = standIn("OpenTofu", "1.10.10");
  let served = "";
  const { commands, lines } = await show(
    { tofu: program },
    {
      run: async (args, folder) => {
        if (args.includes("install")) {
          const valueOf = (flag: string) => args[args.indexOf(flag) + 1] ?? "";
          const ca = await readFile(join(folder, valueOf("--ca-bundle")));
          served = await new Promise((resolve, reject) => {
            request(valueOf("--url"), { ca }, (answer) => void buffer(answer).then((all) => resolve(all.toString())))
              .on("error", reject)
              .end();
          });
        }
        return 0;
      },
    },
  );

  assert.equal(served, program);
  assert.deepEqual(
    commands.map((args) => args.map((arg) => arg.replace(/:\d+\//, ":1/")).join(" ")),
    [
      `terraform install --product opentofu --version 1.10.10 --url https://127.0.0.1:1/tofu --checksum sha256:${hash("sha256", program)} --ca-bundle mirror-ca.pem --wait`,
      "terraform status",
    ],
  );
  assert.match(lines[0] ?? "", /mirror that this demo has started: it offers the tofu of your PATH\.$/);
});

for (const [name, programs] of [
  ["no program", {}],
  ["something else of that name", { terraform: "#!/bin/sh\necho hello\n" }],
] as const) {
  test(`with ${name} on the PATH the demo installs nothing and says how to`, async () => {
    const { commands, lines } = await show(programs);

    assert.deepEqual(commands, []);
    assert.match(
      lines[0] ?? "",
      /nothing was downloaded\. To get one: `rad terraform install --version <version> --wait`\.$/,
    );
  });
}

test("a configured mirror is used, whatever is on the PATH", async () => {
  const { commands, lines } = await show({ terraform: standIn("Terraform", "1.9.8") }, { hasMirror: true });

  assert.deepEqual(commands, [
    ["terraform", "install", "--wait"],
    ["terraform", "status"],
  ]);
  assert.match(lines[0] ?? "", /from the mirror that the configuration names\.$/);
});

test("the demo goes on when Terraform could not be installed", async () => {
  const { commands, lines } = await show({ terraform: standIn("Terraform", "1.9.8") }, { run: async () => 1 });

  assert.equal(commands.length, 1);
  assert.equal(lines.at(-1), "Terraform was not installed; see above. The demo goes on without it.");
});
