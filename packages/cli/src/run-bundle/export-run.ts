import { resolve } from 'node:path';
import { CommandFailure, EXIT, type ExitCode, putBytes } from '@attractor/console';
import { showWork } from '../show-work.ts';
import { print, valueOf } from '@attractor/console/lines';
import type { Call } from '../verbs/verb.ts';
import { refuseIfThere, writeWhole } from './whole-file.ts';

/** A run as one file: whole, or not there. */
export async function exportRun(call: Call): Promise<ExitCode> {
  const runId = call.arg(0);
  const output = call.flags.text('output') ?? `${valueOf(await call.client.runs.get(runId)).key}.jsonl.gz`;
  if (output === '-' && process.stdout.isTTY)
    throw new CommandFailure('a bundle is not text: name a file with --output, or pipe it to a program', EXIT.usage);
  const file = resolve(output);
  if (output !== '-' && !call.flags.has('force')) await refuseIfThere(file);
  const body = valueOf(await call.client.runs.bundle(runId, { base: call.flags.has('withBase') ? 'yes' : 'no' }));
  if (output === '-') {
    for await (const chunk of body) await written(chunk);
    return EXIT.done;
  }
  const isShown = call.output.mode === 'people';
  const whole = await showWork({ doing: `writing ${output}`, isShown }, (tell) =>
    writeWhole(file, counted(body, tell), call.flags.has('force')),
  );
  await print(call.output, {
    value: { runId, file, ...whole },
    lines: () => [
      `Written to ${file} (${whole.bytes} bytes).`,
      ...(whole.isFinished ? [] : ['The run has not ended: the file has nothing of what it does from now on.']),
      ...whole.missing.map((text) => `Not in it: ${text}`),
    ],
    ids: () => [file],
  });
  return EXIT.done;
}

async function* counted(
  body: AsyncIterable<Uint8Array>,
  tell: (howFar: string) => void,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const chunk of body) {
    tell(`${(bytes += chunk.length)} bytes`);
    yield chunk;
  }
}

async function written(chunk: Uint8Array): Promise<void> {
  if (putBytes(process.stdout, chunk)) return;
  await new Promise((go) => process.stdout.once('drain', go));
}
