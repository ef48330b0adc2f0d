import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Bytes of an answer, with what follows from them. Each is made once, and only if somebody wants it. */
export type Encoded = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly tag: () => string;
  readonly small: (encoding: Encoding) => Promise<Uint8Array<ArrayBuffer>>;
};

export type Encoding = 'br' | 'gzip';

const values = new WeakMap<object, Encoded>();

/** The JSON of a value. One that is answered again, such as the list of tasks while nothing happens, is not written anew. */
export function encodeValue(value: unknown): Encoded {
  if (typeof value !== 'object' || value === null) return encodeBytes(jsonOf(value));
  const made = values.get(value) ?? encodeBytes(jsonOf(value));
  values.set(value, made);
  return made;
}

export function encodeBytes(bytes: Uint8Array<ArrayBuffer>): Encoded {
  let tag: string | null = null;
  const small = new Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>();
  return {
    bytes,
    tag: () => (tag ??= `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`),
    small: (encoding) => {
      const made = small.get(encoding) ?? compress[encoding](bytes);
      small.set(encoding, made);
      return made;
    },
  };
}

function jsonOf(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value) ?? 'null');
}

const compress = {
  br: async (bytes: Uint8Array) =>
    new Uint8Array(
      await promisify(brotliCompress)(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      }),
    ),
  gzip: async (bytes: Uint8Array) => new Uint8Array(await promisify(gzip)(bytes)),
} as const satisfies Record<Encoding, unknown>;
