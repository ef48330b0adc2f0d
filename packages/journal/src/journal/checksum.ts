/** How much is computed here before zlib is loaded, which is faster but takes 4 ms: a session's first request does not wait for it. */
const WORTH_LOADING = 128 << 10;

let summed = 0;
let table: Uint32Array | undefined;
let ofZlib: ((data: string | Uint8Array) => number) | undefined;

/** CRC-32; text as UTF-8. */
export function checksum(data: string | Uint8Array): number {
  summed += data.length;
  if (ofZlib === undefined && summed > WORTH_LOADING) ofZlib = process.getBuiltinModule('node:zlib').crc32;
  if (ofZlib !== undefined) return ofZlib(data);
  table ??= makeTable();
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  let sum = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) sum = (sum >>> 8) ^ (table[(sum ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return (sum ^ 0xffffffff) >>> 0;
}

const POLYNOMIAL = 0xedb88320;

function makeTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
    return value;
  });
}
