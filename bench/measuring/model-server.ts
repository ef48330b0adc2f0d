import { readFileSync } from 'node:fs';
import { startSimulator } from '@attractor/simulator';
import type { ScriptInput } from '@attractor/simulator';
import { startProgram } from './program.ts';

/** The scripted model in a separate process, so that its work is not counted as the client's. */
export type ModelServer = {
  readonly baseUrl: string;
  /** By provider; `baseUrl` is Anthropic's. */
  readonly baseUrls: Readonly<Record<'anthropic' | 'openai', string>>;
  readonly stop: () => void;
};

export async function startModelServer(turn: NonNullable<ScriptInput['turns']>[number]): Promise<ModelServer> {
  const server = startProgram(import.meta.filename, ['serve']);
  // A long answer would not fit into arguments.
  server.stdin.end(JSON.stringify(turn));
  const line = await new Promise<string>((resolve, reject) => {
    server.once('error', reject);
    server.once('close', () => reject(new Error('the model server ended before it was ready')));
    server.stdout.setEncoding('utf8').once('data', (line: string) => resolve(line.trim()));
  });
  const baseUrls: ModelServer['baseUrls'] = JSON.parse(line);
  return { baseUrl: baseUrls.anthropic, baseUrls, stop: () => void server.kill() };
}

async function serve(turn: NonNullable<ScriptInput['turns']>[number]): Promise<void> {
  // Programs of others send fields that the services take and our checks don't know.
  const simulator = await startSimulator({
    script: { turns: [{ ...turn, repeat: 'forever' }] },
    record: 'none',
    strict: false,
  });
  console.log(JSON.stringify(simulator.baseUrls));
}

if (import.meta.main && process.argv[2] === 'serve') await serve(JSON.parse(readFileSync(0, 'utf8')));
