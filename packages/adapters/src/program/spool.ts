import { createWriteStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { type Redactor, redactStream } from '@attractor/redact';

/** The whole output in a file, without secrets, up to a bound, for people who need more than was reported. A full disk only ends it. */
export type Spool = {
  readonly stdout: (chunk: Buffer) => void;
  readonly stderr: (chunk: Buffer) => void;
  readonly end: () => Promise<void>;
};

const MAX_CHARACTERS = 16 << 20;

export function openSpool(file: string, redactor: Redactor): Spool {
  const stream = createWriteStream(file, { mode: 0o600 });
  stream.on('error', () => undefined);
  let left = MAX_CHARACTERS;
  const write = (text: string): void => {
    if (left > 0 && text !== '') stream.write(text.slice(0, left));
    left -= text.length;
  };
  const pipes = [0, 1].map(() => {
    const [decoder, redacted] = [new StringDecoder('utf8'), redactStream(redactor)];
    return {
      push: (chunk: Buffer): void => {
        if (left > 0) write(redacted.push(decoder.write(chunk)));
      },
      end: (): void => write(redacted.push(decoder.end()) + redacted.end()),
    };
  });
  return {
    stdout: (chunk) => pipes[0]?.push(chunk),
    stderr: (chunk) => pipes[1]?.push(chunk),
    end: () => {
      for (const pipe of pipes) pipe.end();
      return new Promise((resolve) => stream.end(() => resolve()));
    },
  };
}
