import path from 'node:path';
import type { ToolCall, ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk/unstable';
import { ownNameOf, toolSubject, toolTitle, whatACallTouches } from '@attractor/tool-table';
import type { FileEdit } from '../editor/editor-environment.ts';

export type Args = Readonly<Record<string, unknown>>;

export type CallFacts = { readonly toolCallId: string; readonly toolName: string; readonly args: Args };

/** A call as an editor shows it: what it is, what kind of thing it does, and where. */
export function toolCallOf({ toolCallId, toolName, args }: CallFacts, folder: string): ToolCall {
  return {
    toolCallId,
    title: titleOf(toolName, args),
    name: toolName,
    kind: kindOf(toolName, args),
    locations: locationsOf(toolName, args, folder),
    rawInput: args,
    content: [...previewOf(toolName, args, folder)],
  };
}

const MOST_TITLE = 200;

function titleOf(toolName: string, args: Args): string {
  const subject = toolSubject(toolName, args);
  const short = subject.length > MOST_TITLE ? `${subject.slice(0, MOST_TITLE - 1)}…` : subject;
  if (ownNameOf(toolName) === 'exit_plan_mode') return 'Ready to begin?';
  if (ownNameOf(toolName) === 'shell' && short !== '') return `\`${short.replaceAll('`', "'")}\``;
  return `${toolTitle(toolName)} ${short}`.trim();
}

/** Tools that look at many files, by their own names. */
const SEARCHES: ReadonlySet<string> = new Set(['grep', 'glob', 'list_dir']);

function kindOf(toolName: string, args: Args): ToolKind {
  const own = ownNameOf(toolName);
  if (own === 'exit_plan_mode') return 'switch_mode';
  if (SEARCHES.has(own)) return 'search';
  const touch = whatACallTouches({ toolName, args });
  if (touch.kind === 'files') return changes(touch.writes, touch.removes);
  return KINDS[touch.kind] ?? 'other';
}

function changes(writes: ReadonlyArray<string>, removes: ReadonlyArray<string> = []): ToolKind {
  if (writes.length === 0) return 'read';
  return removes.length === writes.length ? 'delete' : 'edit';
}

const KINDS: Readonly<Partial<Record<string, ToolKind>>> = {
  command: 'execute',
  url: 'fetch',
  web: 'fetch',
  agent: 'think',
  skill: 'think',
};

export function touchedFiles(toolName: string, args: Args, folder: string): ReadonlyArray<string> {
  const touch = whatACallTouches({ toolName, args });
  const named = touch.kind === 'files' ? [...touch.reads, ...touch.writes] : [];
  return [...new Set(named.map((file) => path.resolve(folder, file)))];
}

function locationsOf(toolName: string, args: Args, folder: string): ToolCallLocation[] {
  const { offset } = args;
  const line = typeof offset === 'number' && ownNameOf(toolName) === 'read_file' ? { line: offset } : {};
  return touchedFiles(toolName, args, folder).map((file) => ({ path: file, ...line }));
}

/** What the arguments alone say of a change, before it is made. */
function previewOf(toolName: string, args: Args, folder: string): ReadonlyArray<ToolCallContent> {
  const { old_string: before, new_string: after, plan, patch } = args;
  const [file] = touchedFiles(toolName, args, folder);
  if (file !== undefined && typeof before === 'string' && typeof after === 'string')
    return [{ type: 'diff', path: file, oldText: before, newText: after }];
  if (ownNameOf(toolName) === 'exit_plan_mode' && typeof plan === 'string') return [textContent(plan)];
  if (ownNameOf(toolName) === 'apply_patch' && typeof patch === 'string') return [fenced(patch, 'diff')];
  return [];
}

/** A change that was made, or is about to be. */
export function diffContent({ path: file, before, after }: FileEdit): ToolCallContent {
  return { type: 'diff', path: file, oldText: before, newText: after ?? '' };
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** Whatever it contains, the fence is longer. */
export function fenced(text: string, language = ''): ToolCallContent {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return textContent(`${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`);
}

const MOST_SHOWN = 16_000;

/** The beginning and the end of what is too long to show. */
export function shortened(text: string): string {
  if (text.length <= MOST_SHOWN) return text;
  const half = MOST_SHOWN / 2;
  return `${text.slice(0, half)}\n… ${text.length - MOST_SHOWN} characters …\n${text.slice(-half)}`;
}
