import type { PlatformEvent } from '@attractor/store';
import { whatACallTouches } from '@attractor/tool-table';

/** Something that an agent did to files or by a command, and how it went. `rejected`: a person did not allow it. */
export type CompletedAction = {
  readonly action: string;
  readonly path?: string;
  readonly command?: string;
  readonly status: 'success' | 'error' | 'rejected';
  readonly at: string;
};

type Act = Pick<CompletedAction, 'action' | 'path' | 'command'>;

/** The events that tell of actions. */
export const ACTION_EVENTS = ['agent.message', 'prompt.answered', 'worktree.prepared', 'work.rolled_back'] as const;

/** What was done so far, oldest first, read from the log alone: calls that changed files or ran a command, once their result is known. */
export function completedActions(events: ReadonlyArray<PlatformEvent>): ReadonlyArray<CompletedAction> {
  const done: CompletedAction[] = [];
  const begun = new Map<string, { readonly acts: ReadonlyArray<Act>; readonly touched: ReadonlyArray<string> }>();
  const rejected = new Set<string>();
  const seen = createSeenFiles();
  for (const event of events) {
    const { at } = event;
    if (event.type === 'worktree.prepared') seen.root(event.data.path);
    if (event.type === 'work.rolled_back') done.push(...rolledBack(event.data.files ?? null, at));
    if (event.type === 'prompt.answered') {
      const { prompt } = event.data;
      if (prompt.type === 'tool_approval' && prompt.answer?.decision === 'reject')
        rejected.add(prompt.payload.toolCallId);
    }
    if (event.type !== 'agent.message') continue;
    const { message } = event.data;
    if (message.kind === 'tool_call')
      begun.set(message.toolCallId, {
        acts: actsOf(message.toolName, { args: message.input, seen }),
        touched: touchedBy(message.toolName, message.input),
      });
    if (message.kind !== 'tool_result') continue;
    const { acts, touched } = begun.get(message.toolCallId) ?? NOTHING;
    const failed = rejected.has(message.toolCallId) ? 'rejected' : 'error';
    done.push(...acts.map((act) => ({ ...act, status: message.isError ? failed : 'success', at }) as const));
    // A file that could not be written or read is as new as before.
    if (!message.isError) for (const path of touched) seen.look(path);
    begun.delete(message.toolCallId);
  }
  return done;
}

function rolledBack(files: ReadonlyArray<string> | null, at: string): ReadonlyArray<CompletedAction> {
  const undone = { action: 'rollback', status: 'success', at } as const;
  return files === null ? [undone] : files.map((path) => ({ ...undone, path }));
}

type SeenFiles = ReturnType<typeof createSeenFiles>;

/** Paths as the repository has them. A file that nobody looked at before it was written is new: the tools refuse to overwrite unread files. */
function createSeenFiles() {
  const roots = new Set<string>();
  const known = new Set<string>();
  const named = (path: string): string => {
    const root = [...roots].find((folder) => path.startsWith(`${folder}/`));
    return root === undefined ? path : path.slice(root.length + 1);
  };
  return {
    root: (folder: string) => void roots.add(folder),
    named,
    look: (path: string) => void known.add(named(path)),
    isNew: (path: string) => !known.has(named(path)),
  };
}

type ToolUse = { readonly args: Readonly<Record<string, unknown>>; readonly seen?: SeenFiles };

/** What a call would do, in the words of the coding session; nothing for calls that only look. */
export function actsOf(toolName: string, { args, seen = createSeenFiles() }: ToolUse): ReadonlyArray<Act> {
  const touch = whatACallTouches({ toolName, args });
  if (touch.kind === 'command') return [{ action: 'run_command', command: touch.command }];
  if (touch.kind !== 'files') return [];
  const { writes, removes = [] } = touch;
  return writes.map((path) => ({ action: actionOn(path, { removes, seen, toolName }), path: seen.named(path) }));
}

const NOTHING = { acts: [], touched: [] };

function touchedBy(toolName: string, args: ToolUse['args']): ReadonlyArray<string> {
  const touch = whatACallTouches({ toolName, args });
  return touch.kind === 'files' ? [...touch.reads, ...touch.writes] : [];
}

type Change = { readonly removes: ReadonlyArray<string>; readonly seen: SeenFiles; readonly toolName: string };

function actionOn(path: string, { removes, seen, toolName }: Change): string {
  if (removes.includes(path)) return 'delete_file';
  return seen.isNew(path) && WRITES_WHOLE.has(toolName) ? 'create_file' : 'modify_file';
}

/** Only these make files that were not there. */
const WRITES_WHOLE: ReadonlySet<string> = new Set(['write_file', 'Write', 'apply_patch']);
