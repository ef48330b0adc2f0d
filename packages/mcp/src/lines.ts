export type Lines = { readonly push: (chunk: Buffer) => void };

/** Splits a stream of bytes into lines, and holds at most `maxBytes` of an unfinished one: beyond that it reports once, and stops. */
export function createLines(
  maxBytes: number,
  on: { readonly onLine: (line: string) => void; readonly onTooLong: () => void },
): Lines {
  let parts: Buffer[] = [];
  let held = 0;
  let isOver = false;
  const finish = (last: Buffer): void => {
    const line = Buffer.concat([...parts, last]).toString('utf8');
    parts = [];
    held = 0;
    if (line.trim() !== '') on.onLine(line);
  };
  return {
    push: (chunk) => {
      if (isOver) return;
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        finish(chunk.subarray(from, at));
        from = at + 1;
      }
      const rest = chunk.subarray(from);
      held += rest.length;
      if (rest.length > 0) parts.push(rest);
      if (held <= maxBytes) return;
      isOver = true;
      parts = [];
      on.onTooLong();
    },
  };
}
