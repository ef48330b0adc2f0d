import type { AgentMessage } from '@attractor/adapters';
import { addRunTime, addUsage, appendEvents, markProgress, type NewEvent, type Tx } from '@attractor/store';
import { followFolder } from './agent-folder.ts';
import { amountOfMessage } from '../run-context/agent-usage.ts';
import { eventOf, type RunContext } from '../run-context/run-context.ts';

export type MessageLogOptions = {
  /** How long the agent worked since the last call, to be stored with the run. */
  readonly takeTime: () => number;
  /** Spending was recorded and is on disk. */
  readonly onSpent: () => void;
  /** Nothing more is stored: what the agent still does would be lost. */
  readonly onFailed: () => void;
};

/**
 * Stores an agent's messages in order, each once by its key, together with their usage and the time worked. Messages that arrive during a
 * write share the next one. `drained` resolves when everything added is on disk, and rejects if that failed; `confirmed` does the same
 * once the agent's memory is there too, and this process still has the run.
 */
export function openMessageLog(context: RunContext, options: MessageLogOptions) {
  const changeOfFolder = followFolder(context);
  let waiting: AgentMessage[] = [];
  let writing: Promise<void> = Promise.resolve();
  let scheduled = false;
  let isToConfirm = false;
  let failure: unknown = null;

  const write = async (): Promise<void> => {
    scheduled = false;
    const batch = waiting;
    waiting = [];
    if (failure !== null) return;
    const agentMs = options.takeTime();
    if (batch.length === 0 && agentMs === 0 && !isToConfirm) return;
    isToConfirm = false;
    try {
      const change = await changeOfFolder();
      const spent = await context.transact(
        async (tx) => {
          await change.write(tx);
          return store(tx, context, { batch, agentMs });
        },
        batch.some(isAboutUsage) ? 'asking' : 'silent',
      );
      change.keep();
      if (spent) options.onSpent();
    } catch (error) {
      failure = error;
      options.onFailed();
    }
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    writing = writing.then(write);
  };

  const drained = async (): Promise<void> => {
    schedule();
    await writing;
    if (failure !== null) throw failure;
  };

  return {
    add: (message: AgentMessage): void => {
      waiting.push(message);
      schedule();
    },
    /** Stores the time worked although there was no message. */
    keepTime: schedule,
    drained,
    confirmed: (): Promise<void> => {
      isToConfirm = true;
      return drained();
    },
  };
}

type Batch = { readonly batch: ReadonlyArray<AgentMessage>; readonly agentMs: number };

async function store(tx: Tx, context: RunContext, { batch, agentMs }: Batch): Promise<boolean> {
  const runId = context.state.run.id;
  const known = await knownKeys(tx, runId, batch);
  let spent = false;
  for (const message of batch) {
    if (message.kind !== 'usage' || known.has(keyOf(message))) continue;
    known.add(keyOf(message));
    await addUsage(tx, runId, amountOfMessage(message));
    spent = true;
  }
  await appendEvents(
    tx,
    batch.flatMap((message) => toEvents(context, message)),
  );
  if (agentMs > 0) await addRunTime(tx, runId, { agentMs });
  if (batch.length > 0 && !context.state.hasProgress) await markProgress(tx, context.claim);
  return spent;
}

/** The usage that was already reported: an agent that continues after a crash reports it again. */
async function knownKeys(tx: Tx, runId: string, batch: ReadonlyArray<AgentMessage>): Promise<Set<string>> {
  const keys = batch.filter(isAboutUsage).map(keyOf);
  if (keys.length === 0) return new Set();
  const rows = await tx
    .selectFrom('events')
    .select('key')
    .where('run_id', '=', runId)
    .where('key', 'in', keys)
    .execute();
  return new Set(rows.flatMap(({ key }) => (key === null ? [] : [key])));
}

/** What was spent before has to be asked. */
function isAboutUsage({ kind }: AgentMessage): boolean {
  return kind === 'usage';
}

function keyOf(message: AgentMessage): string {
  return `message:${message.key}`;
}

function toEvents(context: RunContext, message: AgentMessage): ReadonlyArray<NewEvent> {
  const told = eventOf(context, {
    by: 'agent',
    key: keyOf(message),
    type: 'agent.message',
    summary: summarise(message),
    data: { message },
  });
  if (message.kind !== 'tool_call') return [told];
  const { toolCallId, toolName, input } = message;
  return [
    told,
    eventOf(context, {
      by: 'agent',
      key: `tool:${message.key}`,
      type: 'agent.tool_use',
      level: 'debug',
      summary: `Uses ${toolName}`,
      data: { toolCallId, toolName, input },
    }),
  ];
}

function summarise(message: AgentMessage): string {
  const text = wordsOf(message).replaceAll(/\s+/g, ' ').trim();
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}

function wordsOf(message: AgentMessage): string {
  switch (message.kind) {
    case 'text':
    case 'thinking':
    case 'notice':
      return message.text;
    case 'tool_call':
      return `Calls ${message.toolName}`;
    case 'tool_result':
      return `${message.toolName} ${message.isError ? 'failed' : 'finished'}`;
    case 'usage':
      return `${message.model}: ${message.usage.inputTokens} in, ${message.usage.outputTokens} out`;
  }
}
