import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { assert, property, string, uint8Array } from 'fast-check';
import { anyCharacter } from '@attractor/base/testing/any-character';
import { describe, expect, it } from 'vitest';
import { checksum } from './checksum.ts';

describe('the checksum of a record', () => {
  it('is the CRC-32 that zlib gives, before and after zlib is loaded', () => {
    const agree = (): void => {
      assert(property(string({ unit: anyCharacter(), maxLength: 300 }), (text) => checksum(text) === crc32(text)));
      assert(property(uint8Array({ maxLength: 300 }), (bytes) => checksum(bytes) === crc32(bytes)));
    };
    agree();
    expect(checksum('x'.repeat(200_000))).toBe(crc32('x'.repeat(200_000)));
    agree();
  });

  it('loads zlib once there is much to sum up, and not before', () => {
    const file = path.join(import.meta.dirname, 'checksum.ts');
    const loaded = (length: number): string => {
      const script = `import { checksum } from '${file}'; checksum('a'.repeat(${length})); console.log(process.moduleLoadList.some((one) => one === 'NativeModule zlib'));`;
      return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout.trim();
    };
    expect([loaded(20_000), loaded(200_000)]).toEqual(['false', 'true']);
  });
});
