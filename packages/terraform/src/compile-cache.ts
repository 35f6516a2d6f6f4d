/**
 * The one variable of ours that helper processes and threads get. With it those that start from source read what was
 * compiled before: 100 ms of 150 go into stripping types. A bundle has none, and needs none.
 */
export function compileCacheVariable(): Readonly<Record<string, string>> {
  const { NODE_COMPILE_CACHE: folder } = process.env;
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
