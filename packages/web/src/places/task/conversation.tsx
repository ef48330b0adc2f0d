import {
  keyOf,
  pendingPrompts,
  type HistoryEntry,
  type Prompt,
  type TaskMessage,
  type TaskNote,
  type TaskRun,
} from '@attractor/api';
import { MessageSquare, User } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import { For } from '../../data/role.tsx';
import { useAfterLog } from '../../data/use-after-log.ts';
import { Transcript } from '../../run/transcript.tsx';
import { besideTitle, showControls, showCost, whoDid, type TaskWorld } from '@attractor/api/shown';
import { Button } from '../../ui/button.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { MessageField } from '../../ui/message-field.tsx';
import { Empty, LoadFailed, Refused } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { isQueued, runStatus, StatusBadge } from '../../ui/status.tsx';
import { Ago, Elapsed } from '../../ui/time.tsx';
import { useCommand } from '../../ui/use-command.ts';

type Entry = { readonly key: string; readonly at: string; readonly draw: () => ReactNode };

/** What people and agents said and did, in one row. */
export function Conversation({ world }: { readonly world: TaskWorld }) {
  const { taskId, task } = world.task;
  useAfterLog(['said', taskId]);
  const notes = useAnswer(['said', taskId, 'notes'], () => api.notes.list(taskId));
  const messages = useAnswer(['said', taskId, 'messages'], () => api.messages.list(taskId));
  const missing = [notes, messages].find((said) => said.state === 'failed');
  const entries = [
    ...world.task.runs.map((one) => runEntry(world, one)),
    ...world.task.prompts
      .filter(({ status }) => status === 'answered')
      .map((prompt) => answerEntry(prompt, world.task.answeredBy[prompt.id], task?.title ?? '')),
    ...(notes.state === 'ready' ? notes.value.map(noteEntry) : []),
    ...(messages.state === 'ready' ? messages.value.map(messageEntry) : []),
  ].toSorted((a, b) => (a.at < b.at ? -1 : 1));
  return (
    <div className="flex flex-col gap-4">
      {task === null || task.description.trim() === '' ? null : (
        <div className="rounded-lg border border-line bg-panel px-4 py-3">
          <Markdown text={task.description} />
        </div>
      )}
      <Entries entries={entries} />
      {missing === undefined ? null : <LoadFailed error={missing.error} again={missing.again} />}
      {entries.length === 0 ? (
        <Empty title="No agent has worked on this yet">
          What it says and does, and what people answer, appears here.
        </Empty>
      ) : null}
      <For least="operator" what="write notes">
        <NoteForm taskId={taskId} />
      </For>
    </div>
  );
}

/** A long thread is read from its end. */
const SHOWN = 100;

function Entries({ entries }: { readonly entries: ReadonlyArray<Entry> }) {
  const [count, show] = useState(SHOWN);
  const earlier = Math.max(0, entries.length - count);
  return (
    <>
      {earlier === 0 ? null : (
        <Button className="self-start" onClick={() => show(count + SHOWN)}>
          Show earlier: {earlier.toLocaleString()} more
        </Button>
      )}
      {entries.slice(earlier).map(({ key, draw }) => (
        <div key={key}>{draw()}</div>
      ))}
    </>
  );
}

function runEntry(world: TaskWorld, { run, steps, spent }: TaskRun): Entry {
  const view = world.runs[run.id];
  const waits = pendingPrompts(world.task).some(({ runId }) => runId === run.id);
  const side = (
    <span className="flex flex-wrap items-center justify-end gap-x-3 py-1 text-sm text-soft">
      <StatusBadge status={runStatus(run.status, steps, { waits })} />
      {isQueued(run.status, steps) ? null : <Elapsed since={run.startedAt} until={run.finishedAt} />}
      <span className="tabular-nums">{showCost(spent.costUsd)}</span>
      <Link
        href={`/runs/${keyOf(run)}`}
        className="tap inline-flex min-h-6 items-center underline underline-offset-2 hover:text-ink"
      >
        Open
      </Link>
    </span>
  );
  const name = `${run.mode.charAt(0).toUpperCase()}${run.mode.slice(1)} run ${keyOf(run)}`;
  const draw = () => (
    <Panel title={name} side={side} flush>
      {view === undefined ? null : <Transcript view={view} live={world.live[run.id]} />}
    </Panel>
  );
  return { key: run.id, at: run.startedAt, draw };
}

const DECISIONS = {
  approve: 'approved',
  reject: 'rejected',
  changes: 'asked for changes',
  answer: 'answered',
} as const;

function answerEntry(prompt: Prompt, by: HistoryEntry['actor'] | undefined, taskTitle: string): Entry {
  const { id, title, answer, answeredAt, createdAt } = prompt;
  const words = [answer?.message ?? '', ...(answer?.answers ?? []).map((one) => one.answer)].filter(Boolean).join('\n');
  const at = answeredAt ?? createdAt;
  const what = answer === null ? 'answered' : DECISIONS[answer.decision];
  const who = by === undefined ? what : `${what} by ${whoDid(by)}`;
  return {
    key: id,
    at,
    draw: () => (
      <Said who={`${showControls(besideTitle(title, taskTitle))}: ${who}`} at={at} text={words} icon="user" />
    ),
  };
}

function noteEntry({ id, text, author, createdAt }: TaskNote): Entry {
  const who = `${whoDid(author)} noted`;
  return { key: id, at: createdAt, draw: () => <Said who={who} at={createdAt} text={text} icon="note" /> };
}

function messageEntry({ id, text, author, createdAt, deliveredAt }: TaskMessage): Entry {
  const who = `${whoDid(author)} to the agent${deliveredAt === null ? ' (not read yet)' : ''}`;
  return { key: id, at: createdAt, draw: () => <Said who={who} at={createdAt} text={text} icon="note" /> };
}

type SaidProps = { readonly who: string; readonly at: string; readonly text: string; readonly icon: 'user' | 'note' };

function Said({ who, at, text, icon }: SaidProps) {
  const Icon = icon === 'user' ? User : MessageSquare;
  return (
    <div className="flex gap-3 rounded-lg border border-line bg-panel px-4 py-2.5 text-sm">
      <Icon size={15} aria-hidden className="mt-0.5 shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap gap-x-3 text-soft">
          <span className="font-medium text-ink">{showControls(who)}</span> <Ago at={at} />
        </p>
        {text === '' ? null : <p className="mt-0.5 break-words whitespace-pre-wrap">{showControls(text)}</p>}
      </div>
    </div>
  );
}

function NoteForm({ taskId }: { readonly taskId: string }) {
  const [text, setText] = useDraft(`${taskId}.note`);
  const { busy, error, run } = useCommand();
  const add = async () => {
    if (text.trim() !== '' && (await run(() => api.notes.add(taskId, text))) !== null) setText('');
  };
  return (
    <div className="flex flex-col gap-2">
      <MessageField label="Note on this task" value={text} rows={2} onChange={setText} onSend={() => void add()} />
      <div>
        <Button isBusy={busy} disabled={text.trim() === ''} onClick={() => void add()}>
          Add note
        </Button>
      </div>
      <Refused error={error} />
    </div>
  );
}
