import { randomHex } from './random.ts';

/** A prefixed, time-ordered, greppable id: `run_01j9…`. Ids made by one process in one millisecond still sort in order. */
export type Id<Prefix extends string> = `${Prefix}_${string}`;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const clock = { last: 0n };

/** An id that sorts by creation time, also within one millisecond of one process, and that nobody can guess. */
export function newId<Prefix extends string>(prefix: Prefix): Id<Prefix> {
  const now = BigInt(Date.now()) << 20n;
  clock.last = now > clock.last ? now : clock.last + 1n;
  return `${prefix}_${encode(clock.last, 14)}${encode(BigInt(`0x${randomHex(8)}`), 13)}`;
}

/** A random UUID (version 4), for wires that want this form. */
export function newUuid(): string {
  const hex = randomHex(16);
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function encode(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest >>= 5n) text = ALPHABET[Number(rest & 31n)] + text;
  return text;
}
