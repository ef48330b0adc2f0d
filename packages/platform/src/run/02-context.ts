import type { OutcomeChoice } from '@attractor/adapters';
import { MODE_OUTCOMES, outcomeChoices } from '../outcomes/schemas.ts';
import { reachableOutcomes } from '../pipeline/decide.ts';
import { describeRetry } from '../retry/retry-prompt.ts';
import { listArtifacts } from '../store/artifacts.ts';
import { listEvents } from '../store/events.ts';
import { listRuns } from '../store/runs.ts';
import { findTask } from '../store/tasks.ts';
import type { AgentRun, Artifact, PlatformEvent, Task } from '../types/index.ts';
import { layerConfig } from './config-layers.ts';
import { MODE_INSTRUCTIONS } from './mode-instructions.ts';
import type { RunContext, StepOutcome, StepResults } from './run-context.ts';

type Section = { readonly heading: string; readonly content: string };

/** The prompt: nine sections in a fixed order, empty ones left out. */
export async function assembleContext(context: RunContext): Promise<StepOutcome<StepResults['context']>> {
  const { services, state, pipeline } = context;
  const { read } = services.store;
  const layered = await layerConfig(context);
  if (!layered.ok) return { failure: { code: 'environment', message: layered.error.message } };
  const task = (await findTask(read, context.task.id)) ?? context.task;
  const reachable = reachableOutcomes(pipeline, task.status);
  const outcomes = outcomeChoices(reachable.length > 0 ? reachable : MODE_OUTCOMES[state.run.mode]);
  const exchanges = await listEvents(read, { taskId: task.id, category: 'payload', limit: 10_000 });
  const earlierRuns = (await listRuns(read, { taskId: task.id })).filter((run) => run.id !== state.run.id);
  const { earlier, latest } = splitExchanges(exchanges);
  const sections: ReadonlyArray<Section | null> = [
    {
      heading: 'Instructions',
      content: [layered.value.config.systemPrompt, MODE_INSTRUCTIONS[state.run.mode]].filter(Boolean).join('\n\n'),
    },
    { heading: 'Task', content: describeTask(task) },
    task.plan === null ? null : { heading: 'Plan', content: task.plan },
    section('Artifacts', (await listArtifacts(read, task.id)).map(describeArtifact)),
    section('Earlier exchanges with people', earlier),
    section('Earlier runs', [...earlierRuns.map(describeRun), ...retryOf(context)]),
    latest === null ? null : { heading: 'What a person just answered', content: latest },
    { heading: 'How to finish', content: describeOutcomes(outcomes) },
    optional('Project instructions', layered.value.project.instructions),
  ];
  const prompt = sections
    .flatMap((part) => (part === null ? [] : [`# ${part.heading}\n\n${part.content}`]))
    .join('\n\n');
  return { result: { prompt, outcomes } };
}

function retryOf({ request }: RunContext): ReadonlyArray<string> {
  return request.retry === undefined ? [] : [`\n${describeRetry(request.retry)}`];
}

function describeTask(task: Task): string {
  return [
    `Title: ${task.title}`,
    `Priority: ${task.priority}`,
    `Size: ${task.size}`,
    `Complexity: ${task.complexity}`,
    `Tags: ${task.tags.join(', ') || 'none'}`,
    '',
    task.description === '' ? '(no further description)' : task.description,
  ].join('\n');
}

function describeArtifact({ type, label, url }: Artifact): string {
  return `- ${type}: ${label}${url === null ? '' : ` (${url})`}`;
}

function describeRun({ mode, status, outcome, error, checks }: AgentRun): string {
  const failed = checks.filter((check) => check.phase === 'branch' && !check.passed).map((check) => check.name);
  const notes = [
    outcome === null ? null : `outcome ${outcome}`,
    error === null ? null : `error: ${error}`,
    failed.length > 0 ? `failed checks: ${failed.join(', ')}` : null,
  ];
  return `- ${mode}: ${[status, ...notes].filter((note) => note !== null).join('; ')}`;
}

/** The payload events that agents and people exchanged, by type. Others of the category (prompts opened and closed) say the same twice. */
const EXCHANGES: Readonly<Record<string, (data: Readonly<Record<string, unknown>>) => string>> = {
  'needs_info.sent': (data) => `An agent asked:\n${json(data['questions'])}`,
  'info.provided': (data) => `A person answered:\n${json(data['answers'])}${message(data)}`,
  'options.proposed': (data) => `An agent proposed options:\n${json(data['options'])}`,
  'option.selected': (data) => `A person chose:\n${json(data['answers'])}${message(data)}`,
  'changes.requested': (data) =>
    `Changes were asked for:${message(data)}${data['comments'] === undefined ? '' : `\n${json(data['comments'])}`}`,
};

/** The newest answer of a person stands alone, so that the agent sees what it is to act on. */
function splitExchanges(events: ReadonlyArray<PlatformEvent>): {
  readonly earlier: ReadonlyArray<string>;
  readonly latest: string | null;
} {
  const told = events.flatMap((event) => {
    const tell = EXCHANGES[event.type];
    return tell === undefined ? [] : [{ text: tell(event.data), byPerson: event.actor.type === 'user' }];
  });
  const last = told.at(-1);
  if (last === undefined || !last.byPerson) return { earlier: told.map(({ text }) => text), latest: null };
  return { earlier: told.slice(0, -1).map(({ text }) => text), latest: last.text };
}

function describeOutcomes(outcomes: ReadonlyArray<OutcomeChoice>): string {
  const list = outcomes.map(({ outcome, description, payloadSchema }) => {
    const payload = payloadSchema === null ? '' : `\n  payload (JSON Schema): ${JSON.stringify(payloadSchema)}`;
    return `- ${outcome}: ${description}${payload}`;
  });
  return `When you are done, report exactly one outcome. If you have a tool named report_outcome, call it. Otherwise end your last
message with these lines, the payload being JSON where the outcome has one:

<<<OUTCOME:name>>>
{ … }
<<<END_PAYLOAD>>>

Outcomes:
${list.join('\n')}`;
}

function section(heading: string, lines: ReadonlyArray<string>): Section | null {
  return lines.length === 0 ? null : { heading, content: lines.join('\n') };
}

function optional(heading: string, content: string | null): Section | null {
  return content === null ? null : { heading, content };
}

function json(value: unknown): string {
  return JSON.stringify(value ?? null, null, 2);
}

function message(data: Readonly<Record<string, unknown>>): string {
  return typeof data['message'] === 'string' && data['message'] !== '' ? `\n${data['message']}` : '';
}
