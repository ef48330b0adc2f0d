/** Forms of several fields keep them as JSON: of those, what a person wrote. */
export function textsIn(kept: string): string {
  try {
    return texts(JSON.parse(kept)).filter(Boolean).join('\n');
  } catch {
    return kept;
  }
}

function texts(value: unknown): ReadonlyArray<string> {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(texts);
  return typeof value === 'string' ? [value] : [];
}
