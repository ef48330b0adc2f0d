import { isRecord } from '@attractor/base';
import { ownNameOf, rowOf, ruleOf } from './names.ts';
import { TOOL_NAMES, type ToolName } from './table.ts';
import type { Args } from './touch.ts';

/** What a call is called on a line of its own: `Bash`, `Read`, or the tool's own name. */
export function toolTitle(toolName: string): string {
  const own = ownNameOf(toolName);
  const known = TOOL_NAMES.find((name) => name === own);
  return known === undefined ? toolName : titleOf(known);
}

function titleOf(tool: ToolName): string {
  return TITLES[tool] ?? ruleOf(tool);
}

/** Rules cover several tools; a person wants to know which one it was. */
const TITLES: Readonly<Partial<Record<string, string>>> = {
  write_file: 'Write',
  edit_file: 'Edit',
  multi_edit: 'Edit',
  apply_patch: 'Patch',
  grep: 'Search',
  glob: 'Find',
  list_dir: 'List',
  todo_write: 'Steps',
  exit_plan_mode: 'Plan',
};

/** What a call is about, in one line; empty: what it says to the person is shown as such. */
export function toolSubject(toolName: string, args: Args): string {
  const row = rowOf(toolName);
  const fields = row?.subject ?? [];
  if (row?.use === 'converse' && fields.length === 0) return '';
  const found = fields.map((field) => args[field]).find((value) => typeof value === 'string' || Array.isArray(value));
  const text = Array.isArray(found) ? found.join(' ') : typeof found === 'string' ? found : firstText(args);
  return text.replaceAll(/\s*\n\s*/g, ' ⏎ ').trim();
}

function firstText(args: Args): string {
  return Object.values(args).find((value): value is string => typeof value === 'string') ?? '';
}

export type Step = { readonly text: string; readonly status: string };

/** The list of steps that a call writes; null: it writes none. */
export function stepsOf(toolName: string, args: Args): ReadonlyArray<Step> | null {
  if (ownNameOf(toolName) !== 'todo_write') return null;
  const list = [args['todos'], args['plan']].find((value) => Array.isArray(value));
  if (!Array.isArray(list)) return null;
  return list.filter(isRecord).map((step) => ({
    text: [step['content'], step['step'], step['description']].find((value) => typeof value === 'string') ?? '',
    status: typeof step['status'] === 'string' ? step['status'] : 'pending',
  }));
}
