// Loaded into every process that runs a test file. The runner's time limit fails a test that hangs but waits for its process, which an
// open socket or a child can keep alive for ever.
const minutes = Number(process.env.RAD_TEST_FILE_MINUTES);

if (process.env.NODE_TEST_CONTEXT === "child-v8" && minutes > 0) {
  const timer = setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(", ");
    process.stderr.write(`${process.argv[1]} has not ended after ${minutes} minutes. Still open: ${open}\n`);
    process.exit(1);
  }, minutes * 60_000);
  timer.unref();
}
