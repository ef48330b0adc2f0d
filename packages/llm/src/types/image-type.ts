/** The positions of each type's magic bytes: `[offset, text]`, all of which must match. */
const MARKS: ReadonlyArray<{ readonly type: string; readonly marks: ReadonlyArray<readonly [number, string]> }> = [
  { type: 'image/png', marks: [[0, '\x89PNG']] },
  { type: 'image/jpeg', marks: [[0, '\xff\xd8\xff']] },
  { type: 'image/gif', marks: [[0, 'GIF8']] },
  {
    type: 'image/webp',
    marks: [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  },
  { type: 'image/heic', marks: [[4, 'ftypheic']] },
  { type: 'image/heif', marks: [[4, 'ftypmif1']] },
];

/** What the bytes say they are; undefined: no image that models take. */
export function imageType(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 16).toString('latin1');
  return MARKS.find(({ marks }) => marks.every(([at, text]) => head.startsWith(text, at)))?.type;
}
