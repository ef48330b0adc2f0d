import type { AgentInfo } from '../server-parts.ts';
import { showDuration } from './amounts.ts';
import { showControls } from './plain-text.ts';

/** What a setting of a run is called; one that nobody here knows keeps its own name, in words. */
export function settingName(name: string): string {
  return NAMES[name] ?? showControls(capital(spaced(name)));
}

/** Its value as people read it. */
export function settingValue(name: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (name === 'timeout' && typeof value === 'number') return showDuration(value).replace(/ 0 [ms]$/, '');
  if (typeof value !== 'string') return showControls(JSON.stringify(value) ?? '');
  return VALUES[name]?.[value] ?? showControls(value);
}

/** Each of the settings that the API names: a new one has to be named here as well. */
const NAMES: Readonly<Record<string, string> & Record<keyof AgentInfo['defaults'], string>> = {
  model: 'Model',
  provider: 'Provider',
  maxTurns: 'Turns, at most',
  timeout: 'Time, at most',
  effort: 'Effort',
  permissionMode: 'Permission mode',
  systemPrompt: 'System prompt',
  autoCommit: 'Commits what is left',
  autoPush: 'Pushes finished work',
  branchPrefix: 'Branches begin with',
  baseBranch: 'Base branch',
  branchStrategy: 'A branch of its own',
  preserveUncommitted: 'Uncommitted work is restored',
  rebaseOnStart: 'Rebased before the start',
  onConflict: 'If that conflicts',
  installDeps: 'Runs the set-up',
};

const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  effort: { low: 'Low', medium: 'Medium', high: 'High', xhigh: 'Very high', max: 'Highest' },
  permissionMode: {
    default: 'Asks before it changes or runs something',
    acceptEdits: 'Edits files without asking',
    plan: 'Plans only',
    dontAsk: 'Refuses what it would have to ask for',
    bypassPermissions: 'Never asks',
  },
  branchStrategy: { 'new-per-task': 'For each task', 'new-per-run': 'For each run' },
  onConflict: { continue: 'The run goes on as it was', fail: 'The run fails' },
};

function spaced(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
