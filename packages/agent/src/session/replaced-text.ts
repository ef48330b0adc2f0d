import { ownNameOf } from '@attractor/tool-table';
import type { PendingToolCall } from '../tools/dispatch.ts';
import type { Run } from './run.ts';

/** Nobody reads a change in a longer file before approving it. */
const MOST_CHARACTERS = 1_000_000;

/** What is in the file that a call writes as a whole. Undefined: the call is another one, the file is new, or it may not be read. */
export async function replacedText(run: Run, { toolName, args }: PendingToolCall): Promise<string | undefined> {
  const { file_path: file } = args;
  if (ownNameOf(toolName) !== 'write_file' || typeof file !== 'string') return undefined;
  if (run.policy?.current().deniesReading(file) === true) return undefined;
  try {
    const text = await run.environment.readText(file, { signal: run.signal });
    return text.length > MOST_CHARACTERS ? undefined : text;
  } catch {
    return undefined;
  }
}
