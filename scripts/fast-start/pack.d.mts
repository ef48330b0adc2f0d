export function pack(
  program: string,
  files: ReadonlyArray<{ readonly name: string; readonly text: string }>,
): Promise<{ readonly name: string; readonly text: Uint8Array }>;
