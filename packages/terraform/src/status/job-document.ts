import type { DocumentPut, DocumentRemove, Store } from "@rad/store";
import { storedVersion } from "./installer-records.ts";
import type { InstallOrder } from "../volume/binary-volume.ts";

/**
 * What a job has besides its entry in the installer's record: the sealed parts of its order, and how far it is. It goes
 * when the job ends.
 */
export interface JobProgress {
  readonly step?: string | undefined;
  readonly bytes?: number | undefined;
  readonly totalBytes?: number | undefined;
  /** In store time: when the job has to be done. Absent until it starts. */
  readonly deadline?: number | undefined;
  /** The drain period of an uninstall is over when it runs again. */
  readonly drained?: boolean | undefined;
}

export function jobId(operationId: string): string {
  return `/system/terraformInstaller/jobs/${operationId}`;
}

/** With the URL and the certificates of an install sealed: a URL may hold a password. */
export function newJobDocument(operationId: string, order?: InstallOrder): DocumentPut {
  const { url, caBundle } = order ?? {};
  const secrets = {
    ...(url === undefined ? {} : { "/url": url }),
    ...(caBundle === undefined ? {} : { "/caBundle": caBundle }),
  };
  return { ...jobPut(operationId, {}), input: { ...jobPut(operationId, {}).input, secrets }, expect: "absent" };
}

export function jobPut(operationId: string, progress: JobProgress): DocumentPut {
  return {
    kind: "put",
    input: {
      id: jobId(operationId),
      type: "System.Terraform/installerJobs",
      apiVersion: storedVersion,
      body: { ...progress, url: null, caBundle: null },
      secrets: "keep",
    },
    expect: "any",
  };
}

export function jobRemoval(operationId: string): DocumentRemove {
  return { kind: "remove", id: jobId(operationId), expect: "any" };
}

export async function readProgress(store: Store, operationId: string): Promise<JobProgress> {
  return (await store.get(jobId(operationId)))?.body ?? {};
}

/** The sealed parts of an install's order. */
export async function openOrder(store: Store, operationId: string): Promise<Pick<InstallOrder, "url" | "caBundle">> {
  const { "/url": url, "/caBundle": caBundle } = await store.secrets(jobId(operationId));
  return {
    ...(typeof url === "string" ? { url } : {}),
    ...(typeof caBundle === "string" ? { caBundle } : {}),
  };
}
