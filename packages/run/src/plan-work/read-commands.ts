import type { RunCommand } from '@attractor/pipeline';
import { readShell } from '@attractor/shell';
import { listEvents, listPrompts, listRuns } from '@attractor/store';
import type { RunContext } from '../run-context/run-context.ts';

type Place = { readonly folder: string; readonly isChecked: (command: string) => boolean };

/** The commands that agents ran to carry the plan out, in order. */
export async function readCommands(
  { services, task }: RunContext,
  { folder, isChecked }: Place,
): Promise<ReadonlyArray<RunCommand>> {
  const { read } = services.store;
  const runs = await listRuns(read, { taskId: task.id });
  const working = new Set<string | null>(runs.filter(({ mode }) => mode === 'implement').map(({ id }) => id));
  const refused = new Set(
    (await listPrompts(read, { taskId: task.id })).flatMap(({ type, payload, answer }) =>
      type === 'tool_approval' && answer?.decision === 'reject' ? [payload.toolCallId] : [],
    ),
  );
  const events = await listEvents(read, { taskId: task.id, type: 'agent.message', from: 'newest', limit: 10_000 });
  const messages = events.flatMap((event) =>
    event.type === 'agent.message' && working.has(event.runId) ? [event.data.message] : [],
  );
  const failed = new Set(
    messages.flatMap((one) => (one.kind === 'tool_result' && one.isError ? [one.toolCallId] : [])),
  );
  return messages.flatMap((one) => {
    const command = one.kind === 'tool_call' ? commandIn(one.input) : null;
    if (one.kind !== 'tool_call' || command === null) return [];
    const isNoted = !isChecked(command) && !isUsual(command, folder);
    return [{ command, failed: failed.has(one.toolCallId), refused: refused.has(one.toolCallId), isNoted }];
  });
}

/** However the agent's tool names it; a list is words of one command. */
function commandIn({ command }: Readonly<Record<string, unknown>>): string | null {
  if (Array.isArray(command) && command.length > 0) return command.join(' ');
  return typeof command === 'string' && command.trim() !== '' ? command : null;
}

/** Reading shows nowhere, edits show in the change, and commits are how work is handed over. */
function isUsual(command: string, folder: string): boolean {
  const { parts, problem } = readShell(command, { cwd: folder, root: folder });
  return problem === null && parts.every(({ effect, argv }) => USUAL.has(effect) || isCommit(argv));
}

const USUAL: ReadonlySet<string> = new Set(['read', 'guarded', 'edit']);

function isCommit(argv: ReadonlyArray<string> | null): boolean {
  return argv?.[0] === 'git' && (argv[1] === 'add' || argv[1] === 'commit');
}
