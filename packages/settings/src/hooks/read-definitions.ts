import { defined, isRecord } from '@attractor/base';
import { nearName } from '../settings/near-name.ts';
import { describeOrigin } from '../settings/origin.ts';
import type { WrittenHooks } from '../settings/session-settings.ts';
import type { CommandHandler, HookDefinition, HookHandler } from './definition.ts';
import { HOOK_EVENTS, type HookEventName, isHookEvent, rowOf, timeoutFor } from './events.ts';
import { readIfRule } from './if-rule.ts';
import { readMatcher } from './matcher.ts';
import { WIRES } from './wires.ts';

/**
 * The parsed hooks of settings. `problems`: what can't be parsed, each with its place; an agent is then not started, because it may have
 * been a guard. `unused`: what is valid and does nothing here, reported and not refused.
 */
export type HookReading = {
  readonly definitions: ReadonlyArray<HookDefinition>;
  readonly problems: ReadonlyArray<string>;
  readonly unused: ReadonlyArray<string>;
};

/** Parses hooks as written in settings, in the format of any agent that we know. */
export function readHookDefinitions(written: ReadonlyArray<WrittenHooks>): HookReading {
  const reading = { definitions: [] as HookDefinition[], problems: [] as string[], unused: [] as string[] };
  for (const group of written) readGroup(group, reading);
  return reading;
}

type Reading = { readonly definitions: HookDefinition[]; readonly problems: string[]; readonly unused: string[] };

function readGroup(written: WrittenHooks, reading: Reading): void {
  const { value, origin } = written;
  const at = describeOrigin(origin);
  const fail = (message: string): void => void reading.problems.push(`${at}: hooks.${written.event}: ${message}`);
  const isGemini = origin.agent === 'gemini';
  const { names } = WIRES.gemini;
  const event = isGemini && Object.hasOwn(names, written.event) ? (names[written.event] ?? '') : written.event;
  if (!isHookEvent(event) || (isGemini && event === written.event && !Object.hasOwn(names, event)))
    return void reading.unused.push(
      `${at}: hooks.${written.event}: there is no such event here${meant(written.event)}`,
    );
  const { whyNot } = rowOf(event);
  if (whyNot !== undefined) reading.unused.push(`${at}: hooks.${event}: it never fires: ${whyNot}`);
  if (!isRecord(value) || !Array.isArray(value['hooks'])) return fail('expected { "matcher": "…", "hooks": […] }');
  const { matcher } = value;
  for (const name of Object.keys(value))
    if (name !== 'matcher' && name !== 'hooks')
      reading.unused.push(`${at}: hooks.${event}: "${name}" is not known here`);
  if (matcher !== undefined && typeof matcher !== 'string') return fail('"matcher" must be a text');
  const checked = readMatcher(matcher);
  if (!checked.ok) return fail(checked.message);
  const handlers = value['hooks'].flatMap((handler: unknown): HookHandler | [] => {
    const read = readHandler(isGemini ? withSeconds(handler) : handler, event);
    if (typeof read !== 'string') {
      const vain = [...unreadFields(handler), ...cutTimeout(event, read)];
      reading.unused.push(...vain.map((text) => `${at}: hooks.${event}: ${text}`));
      return read;
    }
    reading.problems.push(`${at}: hooks.${event}: ${read}`);
    return [];
  });
  if (handlers.length > 0)
    reading.definitions.push({
      event,
      ...defined({ matcher }),
      ...(isGemini ? { spoken: { wire: 'gemini', as: written.event } } : {}),
      handlers,
      origin,
      ...defined({ variables: written.variables, within: written.within }),
    });
}

function meant(event: string): string {
  const near = nearName(event, Object.keys(HOOK_EVENTS));
  return near === null ? '' : `: ${near} was meant?`;
}

const COMMON = ['type', 'if', 'timeout', 'statusMessage', 'once', 'failClosed', 'onFailure'];

/** The fields of each kind of handler that have an effect. */
const FIELDS: Readonly<Record<string, ReadonlyArray<string>>> = {
  command: [...COMMON, 'command', 'args', 'async', 'asyncRewake', 'shell'],
  http: [...COMMON, 'url', 'headers', 'allowedEnvVars'],
  prompt: [...COMMON, 'prompt', 'model'],
  agent: [...COMMON, 'prompt', 'model'],
  mcp_tool: [...COMMON, 'server', 'tool', 'input'],
};

/** Published fields without an effect, and why. */
const REASONS: Readonly<Record<string, string>> = {
  continueOnBlock: 'what is refused ends the call or the turn as the event says',
  rewakeMessage: 'a hook that nobody waited for is told in its own words',
  rewakeSummary: 'a hook that nobody waited for is told in its own words',
  name: 'a handler is shown by what it runs',
  description: 'a handler is shown by what it runs',
  commandWindows: 'commands run in bash',
};

function unreadFields(handler: unknown): ReadonlyArray<string> {
  if (!isRecord(handler)) return [];
  const known = FIELDS[String(handler['type'])] ?? [];
  return Object.keys(handler)
    .filter((name) => !known.includes(name))
    .map((name) => `"${name}" has no effect: ${Object.hasOwn(REASONS, name) ? REASONS[name] : 'not known here'}`);
}

function cutTimeout(event: HookEventName, handler: HookHandler): ReadonlyArray<string> {
  const { timeoutMs = 0 } = handler;
  const most = timeoutFor(event, handler);
  return timeoutMs > most
    ? [`"timeout" of ${timeoutMs / 1000} seconds counts as ${most / 1000}, the most there is`]
    : [];
}

/** Gemini counts timeouts in milliseconds. */
function withSeconds(handler: unknown): unknown {
  if (!isRecord(handler) || typeof handler['timeout'] !== 'number') return handler;
  return { ...handler, timeout: handler['timeout'] / 1000 };
}

/** The handler, or what is wrong with it. */
function readHandler(value: unknown, event: HookEventName): HookHandler | string {
  if (!isRecord(value)) return 'a handler must be an object';
  const common = readCommon(value, event);
  if (typeof common === 'string') return common;
  if (value['type'] === 'command') return readCommand(value, common);
  if (value['type'] === 'http') return readHttp(value, common);
  if (value['type'] === 'prompt' || value['type'] === 'agent') return readModel(value, value['type'], common);
  if (value['type'] === 'mcp_tool') return readTool(value, common);
  return '"type" must be "command", "http", "prompt", "agent" or "mcp_tool"';
}

type Common = Pick<HookHandler, 'when' | 'timeoutMs' | 'statusMessage' | 'once' | 'failClosed'>;
type Fields = Readonly<Record<string, unknown>>;

/** Here a failure never counts as a refusal: nobody would be done. */
const NEVER_REFUSED_BY_FAILURE: ReadonlySet<HookEventName> = new Set<HookEventName>([
  'Stop',
  'SubagentStop',
  'TaskCompleted',
  'TeammateIdle',
]);

function readCommon(value: Fields, event: HookEventName): Common | string {
  const { if: when, timeout, statusMessage, once, failClosed, onFailure } = value;
  if (timeout !== undefined && (typeof timeout !== 'number' || !(timeout > 0)))
    return '"timeout" must be seconds above 0';
  if (when !== undefined && typeof when !== 'string') return '"if" must be one permission rule, such as "Bash(git *)"';
  const rule = when === undefined ? null : readIfRule(when, { root: '/', home: '/' });
  if (rule?.ok === false) return `"if": ${rule.message}`;
  if (onFailure !== undefined && onFailure !== 'continue' && onFailure !== 'block')
    return '"onFailure" must be "continue" or "block"';
  const mustHold = onFailure === 'block' && !NEVER_REFUSED_BY_FAILURE.has(event);
  for (const [name, flag] of Object.entries({ once, failClosed }))
    if (flag !== undefined && typeof flag !== 'boolean') return `"${name}" must be true or false`;
  return {
    ...defined({ when }),
    ...(timeout === undefined ? {} : { timeoutMs: Math.round(timeout * 1000) }),
    ...(typeof statusMessage === 'string' ? { statusMessage } : {}),
    ...(once === true ? { once } : {}),
    ...(failClosed === true || mustHold ? { failClosed: true } : {}),
  };
}

function readCommand(value: Fields, common: Common): HookHandler | string {
  const { command, args, async: isAsync, asyncRewake, shell } = value;
  if (typeof command !== 'string' || command.trim() === '') return '"command" must be a text';
  if (args !== undefined && !isTexts(args)) return '"args" must be a list of texts';
  if (shell !== undefined && shell !== 'bash' && shell !== 'powershell')
    return '"shell" must be "bash" or "powershell"';
  const background = isAsync === true || asyncRewake === true;
  return {
    ...common,
    kind: 'command',
    ...(shell === 'powershell' ? inPowershell(command) : { command, ...defined({ args }) }),
    ...(background ? { isAsync: true } : {}),
    ...(asyncRewake === true ? { rewakes: true } : {}),
  };
}

function inPowershell(command: string): Pick<CommandHandler, 'command' | 'args'> {
  return { command: 'pwsh', args: ['-NoProfile', '-NonInteractive', '-Command', command] };
}

function readHttp(value: Fields, common: Common): HookHandler | string {
  const { url, headers, allowedEnvVars } = value;
  if (typeof url !== 'string' || !isWebAddress(url))
    return '"url" must be an address that begins with http:// or https://';
  if (headers !== undefined && (!isRecord(headers) || !isTexts(Object.values(headers))))
    return '"headers" must be an object of texts';
  if (allowedEnvVars !== undefined && !isTexts(allowedEnvVars)) return '"allowedEnvVars" must be a list of names';
  const texts = Object.entries(headers ?? {}).map(([name, text]) => [name, String(text)] as const);
  return {
    ...common,
    kind: 'http',
    url,
    ...(headers === undefined ? {} : { headers: Object.fromEntries(texts) }),
    ...defined({ allowedEnvVars }),
  };
}

function readModel({ prompt, model }: Fields, kind: 'prompt' | 'agent', common: Common): HookHandler | string {
  if (typeof prompt !== 'string' || prompt.trim() === '') return '"prompt" must be a text';
  if (model !== undefined && typeof model !== 'string') return '"model" must be the name of a model';
  return { ...common, kind, prompt, ...defined({ model }) };
}

function readTool({ server, tool, input = {} }: Fields, common: Common): HookHandler | string {
  if (typeof server !== 'string' || typeof tool !== 'string' || server === '' || tool === '')
    return '"server" and "tool" must name a server and one of its tools';
  if (!isRecord(input)) return '"input" must be an object';
  return { ...common, kind: 'mcp_tool', server, tool, input };
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '';
}

function isTexts(value: unknown): value is ReadonlyArray<string> {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
