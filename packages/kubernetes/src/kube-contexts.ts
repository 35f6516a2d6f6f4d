/** The names of the contexts that a kube config has. @throws ApiError `BadRequest` that names the file. */
export async function kubeContexts(file: string): Promise<readonly string[]> {
  const { readKubeConfig } = await import("./config/kube-config.ts");
  return [...(await readKubeConfig(file)).contexts.keys()];
}
