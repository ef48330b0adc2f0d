/** Of a status: ended without being done. Pipelines name such a status; their data does not mark it. */
export function isCancelled(statusId: string): boolean {
  return /^(?:cancell?ed|rejected|abandoned)$/.test(statusId);
}
