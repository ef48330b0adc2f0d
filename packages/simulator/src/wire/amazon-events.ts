import { crc32 } from 'node:zlib';
import type { WireEvent } from './sse.ts';

const STRING = 7;
const CHECKED = 4;

/** How an event names the exception that it is. */
export const EXCEPTION = 'exception:';

/**
 * Amazon's binary events, one message each:
 *
 *   message = length(4) headers-length(4) crc(4) headers payload crc(4)
 *   header  = name-length(1) name 7 value-length(2) value
 *
 * An answer's piece is a `chunk` whose payload holds it in base64; a failure is an exception.
 */
export function frameAmazonEvents(events: readonly WireEvent[]): Uint8Array[] {
  return events.filter(({ event }) => event !== 'ping').map(({ event = '', data }) => frameOne(event, data));
}

function frameOne(event: string, data: string): Uint8Array {
  if (event.startsWith(EXCEPTION))
    return message({ ':exception-type': event.slice(EXCEPTION.length), ':message-type': 'exception' }, data);
  const payload = JSON.stringify({ bytes: Buffer.from(data).toString('base64'), p: 'abcd' });
  return message({ ':event-type': 'chunk', ':message-type': 'event' }, payload);
}

function message(kind: Record<string, string>, payload: string): Uint8Array {
  const named = { ...kind, ':content-type': 'application/json' };
  const headers = Buffer.concat(Object.entries(named).map(([name, value]) => header(name, value)));
  const body = Buffer.from(payload);
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(prelude.length + CHECKED + headers.length + body.length + CHECKED, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const sealed = Buffer.concat([prelude, sum(prelude), headers, body]);
  return Buffer.concat([sealed, sum(sealed)]);
}

function header(name: string, value: string): Buffer {
  const [key, text] = [Buffer.from(name), Buffer.from(value)];
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length);
  return Buffer.concat([Buffer.from([key.length]), key, Buffer.from([STRING]), length, text]);
}

function sum(bytes: Buffer): Buffer {
  const value = Buffer.alloc(CHECKED);
  value.writeUInt32BE(crc32(bytes));
  return value;
}
