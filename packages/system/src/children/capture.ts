/**
 * The beginning and the end of a byte stream in bounded memory. What fits in `limit` is returned whole; otherwise the first and the last
 * half are kept and the gap is marked. The text is always valid: no character is cut in two. Beyond the limit, `keep` gets everything, from
 * the first byte on and in order. `latin1` keeps every byte as one character: for what is no text.
 */
export type Capture = {
  readonly push: (chunk: Uint8Array) => void;
  readonly text: () => string;
  readonly omittedBytes: () => number;
};

export type Encoding = 'utf8' | 'latin1';

export function createCapture(limit: number, keep?: (bytes: Uint8Array) => void, encoding: Encoding = 'utf8'): Capture {
  const decode = (bytes: Buffer): string => bytes.toString(encoding);
  const headLimit = Math.ceil(limit / 2);
  const tailLimit = limit - headLimit;
  const head: Buffer[] = [];
  let headBytes = 0;
  const tail = createRing(tailLimit);
  let isOver = false;
  const keepRest = (rest: Uint8Array): void => {
    if (keep === undefined) return;
    if (!isOver && tail.seen() + rest.length > tailLimit) {
      isOver = true;
      keep(Buffer.concat(head));
      keep(tail.bytes());
    }
    if (isOver) keep(rest);
  };
  return {
    push(chunk) {
      const room = Math.min(headLimit - headBytes, chunk.length);
      if (room > 0) {
        head.push(Buffer.from(chunk.subarray(0, room)));
        headBytes += room;
      }
      if (room >= chunk.length) return;
      keepRest(chunk.subarray(room));
      tail.push(chunk.subarray(room));
    },
    omittedBytes: () => tail.dropped(),
    text() {
      const start = Buffer.concat(head);
      if (tail.dropped() === 0) return decode(Buffer.concat([start, tail.bytes()]));
      const gap = `\n[... ${tail.dropped()} bytes of output omitted ...]\n`;
      return decode(withoutCutEnd(start)) + gap + decode(withoutCutStart(tail.bytes()));
    },
  };
}

type Ring = {
  readonly push: (chunk: Uint8Array) => void;
  readonly bytes: () => Buffer;
  readonly seen: () => number;
  readonly dropped: () => number;
};

function createRing(size: number): Ring {
  let ring = Buffer.alloc(0);
  let seen = 0;
  return {
    push(chunk) {
      if (ring.length === 0) ring = Buffer.allocUnsafe(size);
      const kept = chunk.length > size ? chunk.subarray(chunk.length - size) : chunk;
      const at = size === 0 ? 0 : (seen + chunk.length - kept.length) % size;
      const first = Math.min(kept.length, size - at);
      ring.set(kept.subarray(0, first), at);
      ring.set(kept.subarray(first), 0);
      seen += chunk.length;
    },
    bytes() {
      if (seen <= size) return ring.subarray(0, seen);
      const at = seen % size;
      return Buffer.concat([ring.subarray(at), ring.subarray(0, at)]);
    },
    seen: () => seen,
    dropped: () => Math.max(0, seen - size),
  };
}

function withoutCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return back < sequenceLength(byte) ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < Math.min(3, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
