/** Longer data are worth loading zlib for, which takes 4 ms; then it serves all. Until then a session's first request does not wait for it. */
const SHORT = 4_096;

let table: Uint32Array | undefined;
let ofZlib: ((data: string | Uint8Array) => number) | undefined;

/** CRC-32, of text as UTF-8. */
export function checksum(data: string | Uint8Array): number {
  if (ofZlib === undefined && data.length > SHORT) ofZlib = process.getBuiltinModule('node:zlib').crc32;
  if (ofZlib !== undefined) return ofZlib(data);
  table ??= makeTable();
  let sum = 0xffffffff;
  for (const byte of typeof data === 'string' ? Buffer.from(data) : data)
    sum = (sum >>> 8) ^ (table[(sum ^ byte) & 0xff] ?? 0);
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
