import { isRecord } from '@attractor/base';

/**
 * What a scripted agent does, as data. Steps run in order; a recorded step is not run again. A step that changes files can be repeated: if
 * the result exists already, it does nothing.
 */
export type ScriptStep =
  | { readonly do: 'output'; readonly text: string }
  | { readonly do: 'thinking'; readonly text: string }
  | { readonly do: 'createFile'; readonly path: string; readonly content: string }
  | { readonly do: 'modifyFile'; readonly path: string; readonly find: string; readonly replace: string }
  | { readonly do: 'deleteFile'; readonly path: string }
  | { readonly do: 'commit'; readonly message: string }
  | { readonly do: 'askHuman'; readonly toolName: string; readonly input: Readonly<Record<string, unknown>> }
  | {
      readonly do: 'usage';
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly costUsd: number | null;
    }
  | { readonly do: 'outcome'; readonly outcome: string; readonly payload?: unknown }
  | { readonly do: 'error'; readonly message: string; readonly retryable?: boolean }
  | { readonly do: 'delay'; readonly ms: number }
  /** Says this text so many times. */
  | { readonly do: 'flood'; readonly text: string; readonly times: number }
  /** Ends at once, as a process that died: called again, it continues after this step. */
  | { readonly do: 'crash' }
  /** Works until it is stopped. */
  | { readonly do: 'hang' };

/** `when` chooses the first script that matches the run; `replies` answer further inputs by their key, and people's messages as `message`. */
export type Script = {
  readonly when?: { readonly outcome?: string; readonly promptIncludes?: string };
  readonly steps: ReadonlyArray<ScriptStep>;
  readonly replies?: Readonly<Record<string, ReadonlyArray<ScriptStep>>>;
};

/** What each step needs, and of which type it is. */
const STEPS: Readonly<Record<ScriptStep['do'], Readonly<Record<string, string>>>> = {
  output: { text: 'string' },
  thinking: { text: 'string' },
  createFile: { path: 'string', content: 'string' },
  modifyFile: { path: 'string', find: 'string', replace: 'string' },
  deleteFile: { path: 'string' },
  commit: { message: 'string' },
  askHuman: { toolName: 'string', input: 'object' },
  usage: { inputTokens: 'number', outputTokens: 'number' },
  outcome: { outcome: 'string' },
  error: { message: 'string' },
  delay: { ms: 'number' },
  flood: { text: 'string', times: 'number' },
  crash: {},
  hang: {},
};

/** The scripts of a configuration, or what is wrong with them and what would be right. */
export function readScripts(value: unknown): ReadonlyArray<Script> | string {
  if (!Array.isArray(value) || value.length === 0)
    return '"scripts" must be a list such as [{ "steps": [{ "do": "output", "text": "Done." }] }]';
  for (const [index, script] of value.entries()) {
    const lists = isRecord(script)
      ? [script['steps'], ...Object.values(isRecord(script['replies']) ? script['replies'] : {})]
      : [null];
    const problem = lists.flatMap((steps) => stepsProblem(steps) ?? [])[0];
    if (problem !== undefined) return `scripts[${index}]: ${problem}`;
  }
  return value.filter(isScript);
}

function isScript(value: unknown): value is Script {
  return isRecord(value) && Array.isArray(value['steps']);
}

function stepsProblem(steps: unknown): string | null {
  if (!Array.isArray(steps)) return '"steps" must be a list of steps';
  for (const [index, step] of steps.entries()) {
    const name = isRecord(step) ? Object.keys(STEPS).find((known) => known === step['do']) : undefined;
    if (name === undefined || !isRecord(step))
      return `steps[${index}].do must be one of ${Object.keys(STEPS).join(', ')}`;
    const needs = Object.entries(Object.fromEntries(Object.entries(STEPS))[name] ?? {});
    const lacking = needs.find(([field, type]) => typeof step[field] !== type);
    if (lacking !== undefined) return `steps[${index}] (${name}) needs "${lacking[0]}", a ${lacking[1]}`;
  }
  return null;
}

export function chooseScript(
  scripts: ReadonlyArray<Script>,
  run: { readonly prompt: string; readonly outcomes: ReadonlyArray<{ readonly outcome: string }> },
): Script | null {
  const fits = ({ when = {} }: Script): boolean =>
    (when.outcome === undefined || run.outcomes.some(({ outcome }) => outcome === when.outcome)) &&
    (when.promptIncludes === undefined || run.prompt.includes(when.promptIncludes));
  return scripts.find(fits) ?? null;
}
