import { existsSync } from 'node:fs';
import type { BundlePart } from './format.ts';
import { byteRedactor, filePieces } from './pieces.ts';
import type { WrittenRun } from './sources.ts';

/** Each check with its output: the file that was kept, else the end that is stored. */
export async function* checkParts({ run, secrets }: WrittenRun): AsyncGenerator<BundlePart> {
  for (const [of, value] of run.checks.entries()) {
    yield { part: 'check', value };
    const { outputFile } = value;
    if (outputFile === undefined || !existsSync(outputFile)) yield { part: 'check_output', of, text: value.output };
    else
      for await (const { isMasked: _, ...piece } of filePieces(outputFile, byteRedactor(secrets)))
        yield { part: 'check_output', of, ...piece };
  }
}
