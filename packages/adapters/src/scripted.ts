import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@attractor/base';
import { createLocalExecutionEnvironment, type ExecutionEnvironment } from '@attractor/agent';
import { runGit } from '@attractor/git';
import { commandOf, reasonOf } from '@attractor/policy';
import type { Agent, AgentMessageBody, AgentRunOptions, AgentRunResult, TokenUsage } from './agent.ts';
import { RUN_DEFAULTS } from '@attractor/facts';
import { chooseScript, type Script, type ScriptStep } from './script.ts';

/** Which script a new run follows; null if none fits. */
type Choose = (scripts: ReadonlyArray<Script>, options: AgentRunOptions) => Script | null | Promise<Script | null>;

/** An agent without a model: it follows scripts, leaves real files and commits, and continues after a crash like any other. */
export function createScriptedAgent(
  scripts: ReadonlyArray<Script>,
  type = 'scripted',
  choose: Choose = chooseScript,
): Agent {
  const begun = (options: AgentRunOptions): Script | undefined =>
    scripts[recall(options).find((line) => line.input === 'script')?.index ?? -1];
  return {
    type,
    displayName: 'Scripted agent',
    isAvailable: async () => ({ available: true }),
    getDefaultConfig: () => ({ model: 'scripted', ...RUN_DEFAULTS }),
    run: async (options) => {
      const script = begun(options) ?? (await choose(scripts, options));
      if (script === null) return ended({ error: failure('no_script', 'No script fits this run') });
      remember(options, { input: 'script', index: scripts.indexOf(script) });
      return follow(options, 'run', script.steps);
    },
    say: async (options) => {
      const replies = begun(options)?.replies ?? {};
      const steps =
        replies[options.inputKey] ?? (options.inputKey.startsWith('msg_') ? replies['message'] : null) ?? [];
      return follow(options, options.inputKey, steps);
    },
  };
}

/** One recorded line: the script that was chosen, or a step that is over. */
type Line = { readonly input: string; readonly index: number; readonly note?: string; readonly usage?: StepUsage };

type StepUsage = { readonly inputTokens: number; readonly outputTokens: number; readonly costUsd: number | null };

type Progress = {
  finalText: string;
  usage: TokenUsage;
  outcome?: string;
  payload?: unknown;
  outcomeText?: string;
  error?: NonNullable<AgentRunResult['error']>;
};

async function follow(
  options: AgentRunOptions,
  input: string,
  steps: ReadonlyArray<ScriptStep>,
): Promise<AgentRunResult> {
  const lines = recall(options);
  const environment = createLocalExecutionEnvironment(options.projectPath, 'inherit_none', {
    variables: () => ({ ...options.env }),
    sandbox: options.sandbox,
  });
  const progress: Progress = { finalText: '', usage: usageOfOthers(lines, input) };
  for (const [index, step] of steps.entries()) {
    if (options.abortSignal.aborted) return ended({ ...progress, error: failure('aborted', 'The run was stopped') });
    const before = lines.find((line) => line.input === input && line.index === index);
    const note =
      before === undefined
        ? await act(step, { options, environment, toolCallId: `${input}-${index}` })
        : (before.note ?? '');
    if (note === STOPPED) return ended({ ...progress, error: failure('aborted', 'The run was stopped') });
    tell(options, { key: `${input}:${index}`, step, note });
    apply(progress, step, note);
    if (before === undefined)
      remember(options, { input, index, note, ...(step.do === 'usage' ? { usage: step } : {}) });
    if (progress.error !== undefined) return ended(progress);
    if (step.do === 'crash' && before === undefined) return ended({ ...progress, error: CRASHED });
  }
  await environment.cleanup();
  return ended(progress);
}

const CRASHED = failure('exit', 'Scripted agent was ended by SIGKILL', true);

/** The usage of earlier inputs of the conversation; this one's own steps are counted as they run. */
function usageOfOthers(lines: ReadonlyArray<Line>, input: string): TokenUsage {
  let sum: TokenUsage = { inputTokens: 0, outputTokens: 0, totalCost: 0 };
  for (const line of lines) if (line.input !== input && line.usage !== undefined) sum = addUsage(sum, line.usage);
  return sum;
}

type Acting = {
  readonly options: AgentRunOptions;
  readonly environment: ExecutionEnvironment;
  readonly toolCallId: string;
};

const STOPPED = '\0stopped';
const CHANGES: ReadonlySet<ScriptStep['do']> = new Set(['createFile', 'modifyFile', 'deleteFile', 'commit']);

/** The step's answer: empty if there is nothing to say, `error: …` if it failed. */
async function act(step: ScriptStep, acting: Acting): Promise<string> {
  if (acting.options.readOnly && CHANGES.has(step.do))
    return `error: ${step.do} is not possible in a run that only reads`;
  try {
    return await perform(step, acting);
  } catch (error) {
    if (acting.options.abortSignal.aborted) return STOPPED;
    return `error: ${messageOf(error)}`;
  }
}

async function perform(step: ScriptStep, { options, environment, toolCallId }: Acting): Promise<string> {
  switch (step.do) {
    case 'createFile':
      await environment.writeFile(step.path, step.content);
      return `wrote ${step.path}`;
    case 'modifyFile':
      return modify(environment, step);
    case 'deleteFile':
      if (await environment.fileExists(step.path)) await environment.deleteFile(step.path);
      return `deleted ${step.path}`;
    case 'commit':
      return commit(options, step.message);
    case 'askHuman': {
      const { toolName, input } = step;
      const request = { toolCallId, toolName, input, command: commandOf(input) };
      const answer = await options.approve(request, { isAtRest: () => true });
      if (options.abortSignal.aborted) return STOPPED;
      return answer.decision === 'approve' ? 'allowed' : `denied: ${reasonOf(answer)}`;
    }
    case 'usage':
      await options.beforeTurn?.();
      return options.abortSignal.aborted ? STOPPED : '';
    case 'delay':
      await sleep(step.ms, undefined, { signal: options.abortSignal });
      return '';
    case 'hang':
      while (!options.abortSignal.aborted) await sleep(60_000, undefined, { signal: options.abortSignal });
      return STOPPED;
    default:
      return '';
  }
}

async function modify(
  environment: ExecutionEnvironment,
  step: Extract<ScriptStep, { do: 'modifyFile' }>,
): Promise<string> {
  const { path, find, replace } = step;
  const text = await environment.readText(path);
  if (text.includes(find)) {
    await environment.writeFile(
      path,
      text.replace(find, () => replace),
    );
    return `changed ${path}`;
  }
  if (text.includes(replace)) return `${path} is changed already`;
  throw new Error(`"${find}" is not in ${path}`);
}

async function commit(options: AgentRunOptions, message: string): Promise<string> {
  const author = {
    name: options.env['GIT_AUTHOR_NAME'] ?? 'Scripted agent',
    email: options.env['GIT_AUTHOR_EMAIL'] ?? 'scripted@attractor.invalid',
  };
  const git = { cwd: options.projectPath, author };
  const status = await runGit(['status', '--porcelain'], git);
  if (status.stdout.trim() === '') return 'nothing to commit';
  await runGit(['add', '--all'], git);
  const result = await runGit(['commit', '--quiet', '-m', message], git);
  if (result.exitCode !== 0) throw new Error(result.stderr.trim());
  return `committed ${message}`;
}

type Told = { readonly key: string; readonly step: ScriptStep; readonly note: string };

function tell(options: AgentRunOptions, { key, step, note }: Told): void {
  for (const [index, body] of messagesOf(step, { key, note }).entries())
    options.onMessage({ key: `${key}:${index}`, ...body });
}

function messagesOf(
  step: ScriptStep,
  told: { readonly key: string; readonly note: string },
): ReadonlyArray<AgentMessageBody> {
  switch (step.do) {
    case 'output':
      return [{ kind: 'text', text: step.text }];
    case 'thinking':
      return [{ kind: 'thinking', text: step.text }];
    case 'usage': {
      const usage = {
        inputTokens: step.inputTokens,
        outputTokens: step.outputTokens,
        totalTokens: step.inputTokens + step.outputTokens,
      };
      return [{ kind: 'usage', model: 'scripted', usage, costUsd: step.costUsd }];
    }
    case 'error':
      return [{ kind: 'notice', level: 'error', text: step.message }];
    case 'flood':
      return Array.from({ length: step.times }, () => ({ kind: 'text', text: step.text }));
    case 'delay':
    case 'hang':
    case 'crash':
      return [];
    default: {
      const { do: toolName, ...input } = step;
      const call = { toolCallId: told.key, toolName };
      return [
        { kind: 'tool_call', ...call, input },
        { kind: 'tool_result', ...call, output: told.note, isError: told.note.startsWith('error: ') },
      ];
    }
  }
}

function apply(progress: Progress, step: ScriptStep, note: string): void {
  if (step.do === 'output' || step.do === 'flood') progress.finalText = step.text;
  if (step.do === 'usage') progress.usage = addUsage(progress.usage, step);
  if (step.do === 'error') progress.error = failure('scripted', step.message, step.retryable);
  if (note.startsWith('error: ')) progress.error = failure('step_failed', note.slice('error: '.length));
  if (step.do !== 'outcome') return;
  progress.outcome = step.outcome;
  progress.payload = step.payload;
  progress.outcomeText = progress.finalText;
}

function addUsage(sum: TokenUsage, step: StepUsage): TokenUsage {
  const totalCost = sum.totalCost === null || step.costUsd === null ? null : sum.totalCost + step.costUsd;
  return {
    inputTokens: sum.inputTokens + step.inputTokens,
    outputTokens: sum.outputTokens + step.outputTokens,
    totalCost,
  };
}

function failure(code: string, message: string, retryable = false): NonNullable<AgentRunResult['error']> {
  return { code, message, retryable };
}

function ended(progress: Partial<Progress>): AgentRunResult {
  const { usage, ...rest } = progress;
  return {
    ...rest,
    exitCode: progress.error === undefined ? 0 : 1,
    finalText: progress.finalText ?? '',
    tokenUsage: usage ?? { inputTokens: 0, outputTokens: 0, totalCost: 0 },
  };
}

function recall(options: AgentRunOptions): ReadonlyArray<Line> {
  try {
    const text = readFileSync(journal(options), 'utf8');
    return text.split('\n').flatMap((line) => parseLine(line));
  } catch {
    return [];
  }
}

/** A line that a crash cut off is ignored. */
function parseLine(line: string): ReadonlyArray<Line> {
  try {
    const value: Line = JSON.parse(line);
    return [value];
  } catch {
    return [];
  }
}

function remember(options: AgentRunOptions, line: Line): void {
  mkdirSync(options.statePath, { recursive: true, mode: 0o700 });
  appendFileSync(journal(options), `${JSON.stringify(line)}\n`, { mode: 0o600 });
}

function journal(options: AgentRunOptions): string {
  return join(options.statePath, 'scripted.jsonl');
}
