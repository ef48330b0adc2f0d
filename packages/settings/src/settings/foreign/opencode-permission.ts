import { EVERY_OPENCODE_RULE, OPENCODE_RULES, rulesOfServerTool } from './opencode-tools.ts';

/** One line of opencode's `permission`: what is done about calls of a tool that match a pattern. */
export type PermissionRow = { readonly tool: string; readonly pattern: string; readonly action: unknown };

/** What a row means here: rules, or why it has none. `isLost`: it forbids something that can't be held to; `isUnknown`: a tool that is not here. */
export type PermissionMeaning = {
  readonly behavior?: string;
  readonly rules?: ReadonlyArray<string>;
  readonly reason?: string;
  readonly isLost?: true;
  readonly isUnknown?: true;
};

const ACTIONS: ReadonlySet<unknown> = new Set(['allow', 'ask', 'deny']);

/** What is no tool here, and why a rule about it is not needed. */
const NO_TOOLS: Readonly<Record<string, string>> = {
  external_directory: 'what lies outside the workspace is neither read nor changed without asking',
  doom_loop: 'a session that repeats itself is told so, and ended',
  lsp: 'no language servers are started',
  codesearch: 'there is no such tool here',
  plan_enter: 'there is no such tool here',
  plan_exit: 'there is no such tool here',
};

/** Nobody is asked whether a list of steps may be kept, or whether they may be asked. */
const HARMLESS: ReadonlySet<string> = new Set(['TodoWrite', 'TodoRead', 'AskUserQuestion']);

/** These ask wherever no rule allows them. */
const ASKING: ReadonlySet<string> = new Set(['Bash', 'Edit', 'WebFetch', 'WebSearch']);

/** There the last row that matches counts, here a denial does, then what asks: where that differs, the stricter is taken. */
export function meaningOf(rows: ReadonlyArray<PermissionRow>, at: number): PermissionMeaning {
  const row = rows[at];
  if (row === undefined || !ACTIONS.has(row.action)) return lost('must be allow, ask or deny');
  const behavior = String(row.action);
  const later = rows.slice(at + 1);
  if (row.tool === '*') return aboutEvery(row, later);
  if (Object.hasOwn(NO_TOOLS, row.tool)) return { reason: NO_TOOLS[row.tool] ?? '' };
  const rule = Object.hasOwn(OPENCODE_RULES, row.tool) ? (OPENCODE_RULES[row.tool] ?? '') : null;
  if (rule === null) return aboutServer(row.tool, behavior);
  const ofTool = later.filter(({ tool }) => tool === row.tool);
  if (row.pattern === '*') return aboutAll(rule, behavior, ofTool);
  const isHidden = ofTool.some(({ pattern, action }) => pattern === '*' && action !== 'allow');
  if (isHidden && behavior === 'allow') return { reason: 'the later rule about everything counts' };
  const wholeDenied = rows
    .slice(0, at)
    .some((one) => one.tool === row.tool && one.pattern === '*' && one.action === 'deny');
  if (wholeDenied && rule !== 'Bash') return { reason: 'the denial of everything else counts' };
  const rules = rulesWith(rule, row.pattern, behavior);
  if (rules !== null) return { behavior, rules };
  return behavior === 'deny' ? lost('does not map: write it in config.json') : { reason: 'has no place here' };
}

function lost(reason: string): PermissionMeaning {
  return { reason, isLost: true };
}

/** All tools but those that later rows are about. */
function aboutEvery({ pattern, action }: PermissionRow, later: ReadonlyArray<PermissionRow>): PermissionMeaning {
  if (action === 'allow') return { reason: 'what allows every tool allows nothing: name the tools' };
  if (pattern !== '*') return lost('does not map: write it in config.json');
  const named = new Set(later.map(({ tool }) => OPENCODE_RULES[tool]));
  const rules = EVERY_OPENCODE_RULE.filter((rule) => !named.has(rule) && (action === 'deny' || !HARMLESS.has(rule)));
  return { behavior: String(action), rules };
}

function aboutServer(tool: string, behavior: string): PermissionMeaning {
  if (!/[_*]/.test(tool)) return { reason: 'there is no such tool here', isUnknown: true };
  return behavior === 'allow' ? { reason: 'has no place here' } : { behavior, rules: rulesOfServerTool(tool) };
}

function aboutAll(rule: string, behavior: string, later: ReadonlyArray<PermissionRow>): PermissionMeaning {
  const others = later
    .filter(({ action, pattern }) => action !== 'deny' && pattern !== '*')
    .map(({ pattern }) => pattern);
  if (behavior === 'allow' || others.length === 0) return { behavior, rules: [rule] };
  if (behavior === 'ask' && ASKING.has(rule)) return { reason: 'what no other rule allows asks' };
  const isPlain = rule === 'Bash' && others.every((pattern) => !pattern.includes(' | '));
  return { behavior, rules: [behavior === 'deny' && isPlain ? `Bash(!${others.join(' | ')})` : rule] };
}

/** Null: a rule here can't say it. */
function rulesWith(rule: string, pattern: string, behavior: string): ReadonlyArray<string> | null {
  if (rule === 'Bash') return [`Bash(${pattern})`];
  if (rule === 'Read' || rule === 'Edit') return pathsFor(pattern, behavior)?.map((one) => `${rule}(${one})`) ?? null;
  if (rule === 'Skill' || rule === 'Task') return /^[\w .:*-]+$/.test(pattern) ? [`${rule}(${pattern})`] : null;
  if (rule !== 'WebFetch') return null;
  const [, host] = /^https?:\/\/([\w.-]+)(?:\/\*)?$/.exec(pattern) ?? [];
  if (behavior === 'allow') return host === undefined ? null : [`WebFetch(domain:${host})`];
  return [`WebFetch(url:${pattern})`];
}

const MOST_STARS = 3;

/**
 * There `*` stands for any letters, slashes too. What denies or asks is written so that it covers at least as much here, what allows so
 * that it covers no more.
 */
function pathsFor(written: string, behavior: string): ReadonlyArray<string> | null {
  const home = written.replace(/^\$HOME(?=\/|$)/, '~');
  const pattern = home.startsWith('/') ? `/${home}` : home;
  if (/[!#\\[\]]/.test(pattern) || pattern.includes('..')) return null;
  if (!pattern.includes('/')) return [pattern.includes('*') ? pattern : `./${pattern}`];
  if (behavior === 'allow') return [pattern];
  const names = pattern.split('/');
  if (names.filter((name) => name.includes('*')).length > MOST_STARS) return null;
  return names.reduce<ReadonlyArray<string>>(
    (all, name, index) => all.flatMap((before) => waysOf(name).map((way) => (index === 0 ? way : `${before}/${way}`))),
    [''],
  );
}

/** `a*b` also stands for `a/x/b`. */
function waysOf(name: string): ReadonlyArray<string> {
  const [, before, after] = /^([^*]*)\*+([^*]*)$/.exec(name) ?? [];
  if (before === undefined || after === undefined) return name.includes('*') ? [name, '**'] : [name];
  return before === '' && after === '' ? ['**'] : [name, `${before}*/**/*${after}`];
}
