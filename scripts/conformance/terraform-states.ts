// npm run conformance:terraform-states -- <folder>
//
// Compares the resource ids that Terraform states give with the rows of the folder's `expected.json`: a list of
// `{ file, address, expectedId, withoutScope?, duplicateOf?, deposedKey? }` about documents of `terraform show -json`
// beside it. Prints every difference and how many resources agree.
import { compareStateFolder } from "./compare-state-folder.ts";

const [folder, ...rest] = process.argv.slice(2);
try {
  if (folder === undefined || rest.length > 0) {
    throw new Error("Usage: npm run conformance:terraform-states -- <folder>");
  }
  const isEqual = await compareStateFolder(folder, (line) => process.stdout.write(`${line}\n`));
  process.exitCode = isEqual ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
