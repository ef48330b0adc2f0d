/** The place of a file on the page of a change. */
export function fileId(path: string): string {
  return `file-${encodeURIComponent(path)}`;
}
