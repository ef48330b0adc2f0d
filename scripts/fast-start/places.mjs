/** The first line is no longer than this. */
const HEAD_BYTES = 64 * 1024;

/**
 * Named pieces as the content of one file. Its first line tells where each piece begins after that line, and its length, in bytes.
 *
 * @param {string} id
 * @param {{ name: string, bytes: Uint8Array }[]} pieces
 */
export function placed(id, pieces) {
  let from = 0;
  const places = pieces.map(({ name, bytes }) => {
    from += bytes.length;
    return [name, [from - bytes.length, bytes.length]];
  });
  const head = `${JSON.stringify({ id, places: Object.fromEntries(places) })}\n`;
  if (head.length > HEAD_BYTES) throw new Error(`${pieces.length} pieces are too many for one file`);
  return Buffer.concat([Buffer.from(head), ...pieces.map(({ bytes }) => bytes)]);
}

/** Such a file, with each piece read when it is asked for. It stays open: a rebuild does not change what a running command reads. */
export function openPlaces(file) {
  const { openSync, readSync } = process.getBuiltinModule('node:fs');
  const opened = openSync(file, 'r');
  const first = Buffer.alloc(HEAD_BYTES);
  const start = first.subarray(0, readSync(opened, first)).indexOf('\n') + 1;
  const { id, places } = JSON.parse(first.toString('latin1', 0, start));
  return {
    id,
    names: Object.keys(places),
    read: (name) => {
      if (!Object.hasOwn(places, name)) return undefined;
      const [from, length] = places[name];
      const piece = Buffer.allocUnsafeSlow(length);
      return piece.subarray(0, readSync(opened, piece, 0, length, start + from));
    },
  };
}
