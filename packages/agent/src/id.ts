import { randomBytes } from 'node:crypto';

/** A prefixed, time-ordered, greppable id: `run_01j9…`. Ids made by one process in one millisecond still sort in order. */
export type Id<Prefix extends string> = `${Prefix}_${string}`;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const clock = { last: 0n };

export function newId<Prefix extends string>(prefix: Prefix): Id<Prefix> {
  const now = BigInt(Date.now()) << 20n;
  clock.last = now > clock.last ? now : clock.last + 1n;
  return `${prefix}_${encode(clock.last, 14)}${encode(BigInt(`0x${randomBytes(8).toString('hex')}`), 13)}`;
}

function encode(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest >>= 5n) text = ALPHABET[Number(rest & 31n)] + text;
  return text;
}
