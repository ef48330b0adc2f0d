import { describe, expect, it } from 'vitest';
import { applyHunks, parsePatch } from './index.ts';

/** What becomes of a file by the first operation of a patch; a refusal in words. */
function patched(before: string, body: string): string {
  const patch = parsePatch(`*** Begin Patch\n*** Update File: f${body}\n*** End Patch`);
  if (!patch.ok) return patch.reason;
  const [operation] = patch.operations;
  const applied = applyHunks(before, operation?.kind === 'update' ? operation.hunks : []);
  return applied.ok ? applied.content : applied.reason;
}

describe('a patch that is written oddly means what its writer meant', () => {
  it.each([
    ['LF for a file with CRLF', 'a\r\nb\r\nc\r\n', '\n@@\n a\n-b\n+B\n c', 'a\r\nB\r\nc\r\n'],
    ['CRLF but for its frame, for LF', 'a\nb\nc\n', '\r\n@@\r\n a\r\n-b\r\n+B\r\n c\r', 'a\nB\nc\n'],
    ['CRLF but for its frame, for CRLF', 'a\r\nb\r\nc\r\n', '\r\n@@\r\n a\r\n-b\r\n+B\r\n c\r', 'a\r\nB\r\nc\r\n'],
    ['a file without a last new line', 'a\nb', '\n@@\n a\n b\n+c', 'a\nb\nc'],
    ['lines at the end of the file', 'x\na\nx\na\n', '\n@@\n x\n-a\n+b\n*** End of File', 'x\na\nx\nb\n'],
    ['other quotes and dashes', 'say “hi” – ok\n', '\n@@\n-say "hi" - ok\n+say "ho"', 'say "ho"\n'],
    ['a blank that does not break', 'a\u00a0b\nc\n', '\n@@\n a b\n-c\n+d', 'a\u00a0b\nd\n'],
    ['a sign for minus', 'x − y\n', '\n@@\n-x - y\n+z', 'z\n'],
    [
      'two hunks with the same lines',
      'f\n x\n}\ng\n x\n}\n',
      '\n@@ f\n- x\n+ y\n@@ g\n- x\n+ z',
      'f\n y\n}\ng\n z\n}\n',
    ],
    ['a header that is closed', 'def f():\n  x\n', '\n@@ def f(): @@\n-  x\n+  y', 'def f():\n  y\n'],
    ['blanks for tabs', '\tif x\n\t\ty\n', '\n@@\n     if x\n-        y\n+        z', '\tif x\n\t\tz\n'],
    ['a mark at the start of the file', '\ufeffa\nb\n', '\n@@\n-a\n+A\n b', '\ufeffA\nb\n'],
  ])('%s', (_what, before, body, after) => {
    expect(patched(before, body)).toBe(after);
  });
});
