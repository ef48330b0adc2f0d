import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { defined } from '@attractor/base';
import { childVariables, hostVariables, type OutputReport, sayMeanwhile, type Variables } from '@attractor/system';
import { newId } from '@attractor/base/id';
import type { ExecutionEnvironment } from '../types/index.ts';
import {
  type ChangedFiles,
  changedSince,
  type CommandHandler,
  createSpill,
  failClosedAnswer,
  type HandlerEnd,
  handlerText,
  type HookDefinition,
  type HookEventName,
  type HookHandler,
  type HookInput,
  type HookOutcome,
  type HookOutput,
  type HookRun,
  handlerIdentity,
  type IfRule,
  isOfRepository,
  hearingLeave,
  lateAnswer,
  type Matcher,
  mergeAnswers,
  NO_OUTCOME,
  type OnLeft,
  outputOf,
  type ParsedHookAnswer,
  readEnd,
  readIfRule,
  readMatcher,
  runHttp,
  shortOutput,
  type Spill,
  timeoutFor,
  untilLeft,
  matchedValues,
  WIRES,
  withoutSecrets,
} from '@attractor/settings';
import { runCommand, type CommandPlace } from './run-command.ts';
import { byMeans, type HookMeans } from './by-means.ts';
import { runFunction } from './run-function.ts';
import { createHookVariables, type HookVariables, projectVariables } from './variables.ts';

export type HooksOptions = {
  readonly definitions: ReadonlyArray<HookDefinition>;
  /** Where a person's own hook commands run. */
  readonly environment: ExecutionEnvironment;
  /**
   * Where a repository's hook commands run, which may call files that an agent changed: inside the sandbox if there is one. Absent: where
   * all others run.
   */
  readonly confined?: Pick<CommandPlace, 'environment' | 'sandbox'>;
  /** The variables that children may inherit and headers may name. Absent: those of this process. */
  readonly variables?: Variables;
  /** What programs see of the environment: a person's own hooks, and a repository's. Absent: what is harmless of `variables`. */
  readonly seen?: Readonly<Record<'own' | 'confined', Readonly<Record<string, string>>>>;
  /** The home folder for paths in `if` rules. Absent: this user's. */
  readonly home?: string;
  /** What handlers need that ask a model or call a tool of a server. Absent: those fail. */
  readonly means?: HookMeans;
  /** Where texts are kept that are too long for the model. Absent: a temporary folder that `close` removes. */
  readonly outputFolder?: string;
};

export type FireOptions = {
  readonly signal: AbortSignal;
  /** Where commands start, from the root. */
  readonly workingDir?: string;
  /** Takes secrets out of what handlers say before anything else sees it. */
  readonly redact?: (text: string) => string;
  /** Told of each handler's start and end; nothing starts before it returns. */
  readonly onRun?: (run: HookRun) => Promise<void> | void;
  /** Told what a handler's program says while it runs. */
  readonly onSaid?: (said: HookOutput) => void;
  /** Asked about files that a handler runs and that changed since they were trusted. Absent, or false: it does not run. */
  readonly onChanged?: (changed: ChangedFiles) => Promise<boolean>;
  /** Called with the outcome of a handler that nobody waited for. */
  readonly onLate?: (outcome: HookOutcome) => void;
};

/**
 * The hooks of one session and its children. All handlers of an event run side by side, identical ones once; the outcome does not depend on
 * which finished first. `fire` never rejects. A failing handler does not stop the work unless it fails closed.
 */
export type Hooks = {
  readonly has: (event: HookEventName) => boolean;
  readonly fire: (event: HookEventName, input: HookInput, firing: FireOptions) => Promise<HookOutcome>;
  /** The matchers of an event's handlers; those without one are left out. */
  readonly matchers: (event: HookEventName) => ReadonlyArray<string>;
  /** A skill was used: the hooks in its head count from now on. */
  readonly used: (skill: string) => void;
  /** These no longer count, and others do from now on. */
  readonly renew: (gone: ReadonlyArray<HookDefinition>, come: ReadonlyArray<HookDefinition>) => void;
  /** Variables that hooks set for later commands. */
  readonly variables: () => Readonly<Record<string, string>>;
  /** Ends handlers that nobody waits for, and removes temporary files. */
  readonly close: () => Promise<void>;
};

/** Throws on a matcher or rule that can't be parsed; `readHookDefinitions` reports those in settings beforehand. */
export function createHooks(options: HooksOptions): Hooks {
  const variables = options.variables ?? hostVariables();
  const harmless = options.seen === undefined ? childVariables('inherit_harmless', variables) : {};
  const { own: ofPerson, confined: ofSession } = options.seen ?? { own: harmless, confined: harmless };
  const inside = { hostVariables: variables, variables: ofSession };
  const own: CommandPlace = { ...inside, environment: options.environment, sandbox: undefined, variables: ofPerson };
  const state: State = {
    groups: options.definitions.map((definition) => ready(definition, options)),
    places: { own, confined: options.confined === undefined ? own : { ...options.confined, ...inside } },
    spent: new Set(),
    accepted: new Map(),
    spill: createSpill(options.outputFolder),
    left: createHookVariables(),
    background: new Set(),
    ending: new AbortController(),
    means: options.means ?? {},
    skills: new Set(),
  };
  return {
    has: (event) => state.groups.some(({ definition }) => definition.event === event),
    fire: (event, input, firing) => fire(state, event, { input, firing }),
    matchers: (event) =>
      state.groups.flatMap(({ definition: { event: own, matcher } }) => (own === event ? (matcher ?? []) : [])),
    used: (skill) => void state.skills.add(skill),
    renew: (gone, come) => {
      const others = state.groups.filter(({ definition }) => !gone.includes(definition));
      state.groups = [...others, ...come.map((definition) => ready(definition, options))];
    },
    variables: state.left.current,
    close: async () => {
      const over = Promise.all(state.background);
      await Promise.race([
        over,
        wait(GRACE_MS, undefined, { ref: false, signal: state.ending.signal }).catch(() => {}),
      ]);
      state.ending.abort();
      await over;
      state.spill.close();
      state.left.close();
    },
  };
}

/** Handlers that nobody waits for may still finish, such as a notification at the very end. */
const GRACE_MS = 1_500;

type Group = {
  readonly definition: HookDefinition;
  readonly matches: Matcher;
  readonly rules: ReadonlyMap<HookHandler, IfRule>;
};

type State = {
  groups: ReadonlyArray<Group>;
  readonly places: { readonly own: CommandPlace; readonly confined: CommandPlace };
  /** Run-once handlers that have run. */
  readonly spent: Set<HookHandler>;
  /** What a person let run in this session, by its files. */
  readonly accepted: Map<string, string>;
  readonly spill: Spill;
  readonly left: HookVariables;
  readonly background: Set<Promise<void>>;
  readonly ending: AbortController;
  readonly means: HookMeans;
  /** Skills that were used. */
  readonly skills: Set<string>;
};

function ready(definition: HookDefinition, { environment, home = homedir() }: HooksOptions): Group {
  const matcher = readMatcher(definition.matcher);
  if (!matcher.ok) throw new Error(`hooks.${definition.event}: ${matcher.message}`);
  const rules = new Map<HookHandler, IfRule>();
  for (const handler of definition.handlers) {
    if (handler.when === undefined) continue;
    const rule = readIfRule(handler.when, { root: environment.workingDirectory(), home });
    if (!rule.ok) throw new Error(`hooks.${definition.event}: ${rule.message}`);
    rules.set(handler, rule.holds);
  }
  return { definition, matches: matcher.matches, rules };
}

type Fired = { readonly input: HookInput; readonly firing: FireOptions };

/** A handler chosen for an event, with its definition. */
type Chosen = { readonly handler: HookHandler; readonly definition: HookDefinition };

async function fire(state: State, event: HookEventName, fired: Fired): Promise<HookOutcome> {
  const chosen = await choose(state, event, fired.input);
  if (chosen.length === 0) return NO_OUTCOME;
  const waited = chosen.filter(({ handler }) => !isBackground(handler));
  for (const one of chosen.filter(({ handler }) => isBackground(handler))) startBeside(state, event, { ...fired, one });
  const words = await Promise.all(waited.map((one) => runUntilLeft(state, event, { ...fired, one })));
  if (LEAVES_VARIABLES.has(event)) state.left.reload();
  return mergeAnswers(words);
}

const LEAVES_VARIABLES: ReadonlySet<HookEventName> = new Set<HookEventName>([
  'SessionStart',
  'Setup',
  'CwdChanged',
  'FileChanged',
]);

function isBackground(handler: HookHandler): boolean {
  return handler.kind === 'command' && handler.isAsync === true;
}

async function choose(state: State, event: HookEventName, input: HookInput): Promise<ReadonlyArray<Chosen>> {
  const chosen = new Map<unknown, Chosen>();
  const values = matchedValues(event, input);
  for (const { definition, matches, rules } of state.groups) {
    if (definition.event !== event || !counts(state, definition, input)) continue;
    if (values !== null && !matches(values)) continue;
    for (const handler of definition.handlers) {
      const key = handlerIdentity(handler, definition);
      const rule = rules.get(handler);
      if (chosen.has(key) || state.spent.has(handler)) continue;
      if (rule !== undefined && !(await rule(input))) continue;
      chosen.set(key, { handler, definition });
      if (handler.once === true) state.spent.add(handler);
    }
  }
  return [...chosen.values()];
}

function counts({ skills }: State, { within }: HookDefinition, input: HookInput): boolean {
  if (within === undefined) return true;
  return 'agent' in within ? input['agent_type'] === within.agent : skills.has(within.skill);
}

type One = Fired & { readonly one: Chosen; readonly onLeft?: OnLeft };

function startBeside(state: State, event: HookEventName, run: One): void {
  tellLater(state, run, runOne(state, event, { ...run, firing: { ...run.firing, signal: state.ending.signal } }));
}

function tellLater(state: State, run: One, answer: Promise<ParsedHookAnswer>): void {
  const over = answer
    .then((word) => run.firing.onLate?.(mergeAnswers([lateAnswer(word, run.one.handler)])))
    .catch(() => undefined)
    .then(() => void state.background.delete(over));
  state.background.add(over);
}

/** To its end, or until its program says that nobody need wait: its answer comes late then. */
async function runUntilLeft(state: State, event: HookEventName, run: One): Promise<ParsedHookAnswer> {
  if (run.one.handler.kind !== 'command') return runOne(state, event, run);
  const { firing } = run;
  const { first, whole } = await untilLeft({
    signal: firing.signal,
    ending: state.ending.signal,
    start: (signal, onLeft) => runOne(state, event, { ...run, firing: { ...firing, signal }, onLeft }),
  });
  if (first === null) tellLater(state, run, whole);
  return first ?? {};
}

/** From reporting its start to reading its answer. Rejects only if a listener does. */
async function runOne(state: State, event: HookEventName, run: One): Promise<ParsedHookAnswer> {
  const { input, firing, one, onLeft } = run;
  const { handler, definition } = one;
  const { statusMessage } = handler;
  const about = { hookId: newId('hook'), event, handler: handlerText(handler) };
  const isQuiet = firing.onRun === undefined;
  if (!isQuiet) await firing.onRun?.({ kind: 'started', ...about, ...defined({ statusMessage }) });
  const meanwhile = sayMeanwhile((said) => firing.onSaid?.({ ...about, ...said }));
  const onOutput = hearingLeave(firing.onSaid === undefined ? () => undefined : meanwhile.hear, onLeft);
  const end = await runHandler(state, { event, input, firing, handler, definition, onOutput });
  meanwhile.end();
  const { spoken } = definition;
  const lower = spoken === undefined ? undefined : WIRES[spoken.wire].said;
  const read = readEnd(event, end, (answer) => lower?.(answer, event, input) ?? answer);
  const { word, status } = read;
  const mustHold = handler.failClosed === true || (end.kind === 'untrusted' && GUARDS.has(event));
  const problem = read.problem ?? (mustHold ? word.unclear : undefined);
  const closed = problem !== undefined && mustHold ? failClosedAnswer(event, problem) : word;
  const redact = firing.redact ?? ((text) => text);
  if (!isQuiet) {
    const output = { durationMs: end.durationMs, ...outputOf(end, word, redact) };
    const told = problem === undefined ? {} : { problem: shortOutput(redact(problem)) };
    const { terminalSequence } = word;
    const ended = { ...about, status, ...output, ...told, ...defined({ terminalSequence }) };
    await firing.onRun?.({ kind: 'ended', ...ended });
  }
  return withoutSecrets(closed, (text) => state.spill.short(redact(text)));
}

/** A guard that can't be run must not let through what it would have refused: whoever edited its script could switch it off. */
const GUARDS: ReadonlySet<HookEventName> = new Set<HookEventName>(['PreToolUse', 'PermissionRequest']);

type HandlerRun = Fired & Chosen & { readonly event: HookEventName; readonly onOutput?: OutputReport };

async function runHandler(
  state: State,
  { event, input, firing, handler, definition, onOutput }: HandlerRun,
): Promise<HandlerEnd> {
  const timeoutMs = timeoutFor(event, handler);
  const { signal } = firing;
  const ofRepository = isOfRepository(definition);
  if (handler.kind === 'function') return runFunction(handler, { input, timeoutMs, signal });
  if (handler.kind !== 'command' && handler.kind !== 'http')
    return runFunction(byMeans(handler, state.means), { input, timeoutMs, signal });
  const { spoken } = definition;
  const body = JSON.stringify(spoken === undefined ? input : WIRES[spoken.wire].told(spoken.as, input));
  if (handler.kind === 'http') {
    // A repository gets no variable: its hook could send any of them anywhere.
    const host = ofRepository ? {} : state.places.own.hostVariables;
    return runHttp(handler, { body, timeoutMs, signal, hostVariables: host, publicOnly: ofRepository });
  }
  const place = ofRepository ? state.places.confined : state.places.own;
  const changed = await unaccepted(state, handler, { definition, place, firing });
  if (changed !== null) return { kind: 'untrusted', message: `It was not run: ${changed.message}`, durationMs: 0 };
  const envVars = {
    ...projectVariables(place.environment, input),
    ...(LEAVES_VARIABLES.has(event) && place === state.places.own ? { CLAUDE_ENV_FILE: state.left.file() } : {}),
    ...definition.variables,
  };
  const { workingDir = '.' } = firing;
  const run = { stdin: body, envVars, workingDir, timeoutMs, signal, ...defined({ onOutput }) };
  return runCommand(handler, run, place);
}

type TrustedRun = { readonly definition: HookDefinition; readonly place: CommandPlace; readonly firing: FireOptions };

/** What keeps it from running, once a person was asked about it. What they saw is looked at again: it may have changed while they read. */
async function unaccepted(state: State, handler: CommandHandler, run: TrustedRun): Promise<ChangedFiles | null> {
  const changed = changedFor(state, handler, run);
  if (changed === null || (await run.firing.onChanged?.(changed)) !== true) return changed;
  changed.accept();
  return changedFor(state, handler, run);
}

function changedFor(
  { accepted }: State,
  { command, args = [] }: CommandHandler,
  { definition, place, firing }: TrustedRun,
): ChangedFiles | null {
  const { trusted, trustHome: home } = definition;
  if (trusted === undefined) return null;
  const root = place.environment.workingDirectory();
  const cwd = path.resolve(root, firing.workingDir ?? '.');
  return changedSince([command, ...args], { root, cwd, trusted, home, accepted });
}
