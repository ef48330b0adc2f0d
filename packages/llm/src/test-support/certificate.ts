import { createSign, generateKeyPairSync } from 'node:crypto';

/**
 * A key and a self-signed certificate for 127.0.0.1, made for one test: nothing secret is stored. DER by hand, since Node can only read
 * certificates.
 */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const name = sequence(tag(0x31, sequence(oid(0x55, 0x04, 0x03), tag(0x0c, Buffer.from('loopback')))));
  const validity = sequence(tag(0x17, Buffer.from('200101000000Z')), tag(0x17, Buffer.from('490101000000Z')));
  const alternative = sequence(tag(0x87, Buffer.from([127, 0, 0, 1])), tag(0x82, Buffer.from('localhost')));
  const extension = sequence(oid(0x55, 0x1d, 0x11), tag(0x04, alternative));
  const body = sequence(
    tag(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tag(0xa3, sequence(extension)),
  );
  const signature = createSign('sha256').update(body).sign(privateKey);
  const der = sequence(body, algorithm, tag(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const cert = `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`;
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
}

function tag(kind: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([kind, ...size]), content]);
}

function sequence(...parts: ReadonlyArray<Buffer>): Buffer {
  return tag(0x30, Buffer.concat(parts));
}

function integer(value: number): Buffer {
  return tag(0x02, Buffer.from([value]));
}

function oid(...bytes: ReadonlyArray<number>): Buffer {
  return tag(0x06, Buffer.from(bytes));
}
