import { startSimulator } from '@attractor/simulator';
import type { ScriptInput } from '@attractor/simulator';
import { startProgram } from './program.ts';

/** The scripted model in a separate process, so that its work is not counted as the client's. */
export type ModelServer = { readonly baseUrl: string; readonly stop: () => void };

export async function startModelServer(turn: NonNullable<ScriptInput['turns']>[number]): Promise<ModelServer> {
  const server = startProgram(import.meta.filename, [JSON.stringify(turn)]);
  const baseUrl = await new Promise<string>((resolve, reject) => {
    server.once('error', reject);
    server.once('close', () => reject(new Error('the model server ended before it was ready')));
    server.stdout.setEncoding('utf8').once('data', (line: string) => resolve(line.trim()));
  });
  return { baseUrl, stop: () => void server.kill() };
}

async function serve(turn: NonNullable<ScriptInput['turns']>[number]): Promise<void> {
  const simulator = await startSimulator({ script: { turns: [{ ...turn, repeat: 'forever' }] }, record: 'none' });
  console.log(simulator.baseUrls.anthropic);
}

const [turn] = process.argv.slice(2);
if (import.meta.main && turn !== undefined) await serve(JSON.parse(turn));
