import type { OutcomeChoice, PersonMessage } from '@attractor/adapters';
import {
  type ContextItem,
  type ContextSection,
  describePending,
  describeRuns,
  describeTask,
  documentItems,
  fenced,
  fitToBudget,
  lastClarified,
  listArtifactLines,
  offeredOutcomes,
  type PlanItem,
  planItems,
  readAsText,
  readExchanges,
  stageOf,
  type TaskFacts,
  type TextAttachment,
} from '@attractor/pipeline';
import { describeRetry } from '../retry/retry-prompt.ts';
import {
  type Criterion,
  findTask,
  listArtifacts,
  listAttachments,
  listCriteria,
  listEvents,
  listNotes,
  listPhases,
  listRuns,
  listSteps,
  listTasks,
  planIn,
  type PlatformEvent,
  type NewEvent,
  type Reader,
  type Task,
} from '@attractor/store';
import type { LayeredConfig } from '@attractor/project-config';
import { MODE_INSTRUCTIONS, SHARED_INSTRUCTIONS } from './mode-instructions.ts';
import { eventOf, type RunContext, type StepOutcome, type StepResults } from '../run-context/run-context.ts';
import { layerConfig } from './layer-config.ts';
import { openMessages, recordDelivery } from './person-messages.ts';
import { readAttachment } from '@attractor/store';

/** In characters, about fifty thousand tokens. */
const BUDGET = 200_000;

/** The prompt: nine sections in a fixed order, without empty ones, shortened to a budget. */
export async function assembleContext(context: RunContext): Promise<StepOutcome<StepResults['context']>> {
  const layered = await layerConfig(context);
  if (!layered.ok) return { failure: { code: 'environment', message: layered.error.message } };
  const task = (await findTask(context.services.store.read, context.task.id)) ?? context.task;
  const { mode } = context.state.run;
  const canSplit = task.parentTaskId === null && context.request.hookParams['phaseId'] === undefined;
  const outcomes = offeredOutcomes(context.pipeline, { status: task.status, mode, canSplit });
  const messages = await openMessages(context);
  const { read } = context.services.store;
  const criteria = await listCriteria(read, task);
  const said = await listEvents(read, { taskId: task.id, category: 'payload', limit: 10_000 });
  const subject = { layered: layered.value, task, outcomes, messages, criteria, said };
  const { prompt } = fitToBudget(await sectionsOf(context, subject), BUDGET);
  const todo = todoOf(context, task);
  return {
    result: {
      prompt,
      outcomes,
      criteria: criteria.map(({ number }) => number),
      todo: todo.map(({ number }) => number),
      ...(todo.length === 0 ? {} : { steps: todo.map(({ text }) => text) }),
    },
    events: acknowledged(context, said),
    commit: async (tx) => {
      for (const { key } of messages) await recordDelivery(tx, context, { id: key, via: 'prompt' });
    },
  };
}

/** Whoever works on after changes were asked for has been told of them. */
function acknowledged(context: RunContext, said: Subject['said']): ReadonlyArray<NewEvent> {
  if (context.state.run.mode === 'review') return [];
  const last = said.findLast(({ type }) => type === 'changes.requested' || type === 'changes.acknowledged');
  if (last?.type !== 'changes.requested') return [];
  const summary = `The agent was told of the changes: ${last.summary}`;
  return [eventOf(context, { type: 'changes.acknowledged', summary })];
}

type Subject = {
  readonly layered: LayeredConfig;
  readonly task: Task;
  readonly outcomes: ReadonlyArray<OutcomeChoice>;
  readonly criteria: ReadonlyArray<Criterion>;
  /** What people said that no agent got yet. */
  readonly messages: ReadonlyArray<PersonMessage>;
  /** All that agents and people told each other about the task. */
  readonly said: ReadonlyArray<PlatformEvent>;
};

async function sectionsOf(context: RunContext, subject: Subject): Promise<ReadonlyArray<ContextSection>> {
  const { task, layered, outcomes } = subject;
  const { read } = context.services.store;
  const facts = await readFacts(context, subject);
  const artifacts = await listArtifacts(read, task.id);
  const documents = documentItems(artifacts, await textAttachments(context, facts));
  const { history, latest } = await readHistory(context, subject);
  const { instructions } = layered.project;
  return [
    { heading: 'Instructions', items: instructionsOf(context, layered) },
    { heading: 'Task', items: describeTask(facts), shorten: { order: 6, least: 20_000, drops: 'largest' } },
    { heading: 'Plan', items: describePlan(context, task), shorten: { order: 5, least: 20_000, drops: 'largest' } },
    {
      heading: 'Artifacts',
      items: [...listArtifactLines(artifacts), ...documents],
      shorten: { order: 1, least: 10_000, drops: 'largest' },
    },
    { heading: 'Earlier exchanges', items: history, shorten: { order: 2, least: 5000, drops: 'oldest' } },
    {
      heading: 'Earlier runs',
      items: await earlierRuns(context),
      shorten: { order: 3, least: 8000, drops: 'oldest' },
    },
    { heading: 'What to act on now', items: latest, shorten: { order: 7, least: 20_000, drops: 'largest' } },
    { heading: 'How to finish', items: [{ text: describeOutcomes(outcomes) }, ...claimItems(context, subject)] },
    {
      heading: 'Project instructions',
      items: instructions === null ? [] : [{ text: instructions }],
      shorten: { order: 4, least: 10_000, drops: 'largest' },
    },
  ];
}

function instructionsOf({ state, request }: RunContext, { config }: LayeredConfig): ReadonlyArray<ContextItem> {
  const own = config.systemPrompt === undefined ? [] : [{ text: config.systemPrompt }];
  const stage = stageOf(request.hookParams['stage']);
  const part = stage === null ? [] : [{ text: stage.instructions }];
  return [...own, { text: MODE_INSTRUCTIONS[state.run.mode] }, ...part, { text: SHARED_INSTRUCTIONS }];
}

function describePlan(context: RunContext, task: Task): ReadonlyArray<ContextItem> {
  const { plan } = task;
  if (plan === null) return [];
  const todo = todoOf(context, task);
  const lines = todo.map(({ number, text }) => `${number}. ${text}`).join('\n');
  const list = { text: lines, render: (text: string) => `${HOW_TO_GO_ON}\n${fenced(text, 'todo')}\n${HOW_TO_TICK}` };
  return [{ text: plan, render: (text) => fenced(text, 'plan') }, ...(todo.length === 0 ? [] : [list])];
}

/** Whoever carries a plan out gets it as a list of what is to be done. */
function todoOf({ state }: RunContext, { plan }: Task): ReadonlyArray<PlanItem> {
  const data = state.run.mode === 'implement' ? planIn(plan) : null;
  return data === null ? [] : planItems(data);
}

const HOW_TO_GO_ON =
  'What is to be done, made from the plan, in this order. If you have a tool for a list of steps, it begins with these; tick each when it is done:';
const HOW_TO_TICK = `Files and commands show by themselves that they are done, and so does what you did besides. For an entry that names neither, say in
payload.todo what shows it: [{ "item": 3, "evidence": { "check": "name of a project check" } }], with evidence as for acceptance criteria.`;

async function readFacts({ services, request }: RunContext, { task, criteria, said }: Subject): Promise<TaskFacts> {
  const { read } = services.store;
  const { phaseId } = request.hookParams;
  return {
    task,
    criteria,
    clarified: lastClarified(said),
    parent: task.parentTaskId === null ? null : await findTask(read, task.parentTaskId),
    subtasks: (await listTasks(read, { parentTaskId: task.id, limit: 100 })).toReversed(),
    phases: await listPhases(read, task.id),
    phaseId: typeof phaseId === 'string' ? phaseId : null,
    notes: await listNotes(read, task.id),
    attachments: await listAttachments(read, task.id),
  };
}

async function textAttachments(
  { services }: RunContext,
  { attachments }: TaskFacts,
): Promise<ReadonlyArray<TextAttachment>> {
  const texts: TextAttachment[] = [];
  for (const attachment of attachments) {
    const read = await readAttachment(services, attachment.id);
    const content = read.ok ? readAsText(attachment, read.value.content) : null;
    if (content !== null) texts.push({ attachment, content });
  }
  return texts;
}

type History = { readonly history: ReadonlyArray<ContextItem>; readonly latest: ReadonlyArray<ContextItem> };

/** What the agent has to act on is separate; everything said before it, and every earlier round, is history. */
async function readHistory(context: RunContext, { task, messages, said }: Subject): Promise<History> {
  const open = new Set(messages.map(({ key }) => key));
  const isOpen = (event: PlatformEvent): boolean => event.type === 'message.sent' && open.has(event.data.messageId);
  const { history, latest } = await splitHistory(
    context,
    task,
    said.filter((event) => !isOpen(event)),
  );
  return { history, latest: [...latest, ...readExchanges(said.filter(isOpen)).map(({ text }) => ({ text }))] };
}

async function splitHistory(
  { services, request, state }: RunContext,
  task: Task,
  events: ReadonlyArray<PlatformEvent>,
): Promise<History> {
  const { read } = services.store;
  const exchanges = readExchanges(events);
  const items = exchanges.map(({ text }) => ({ text }));
  const { pendingPayload } = task;
  if (request.hookParams['includePayloadContext'] === false) return { history: items, latest: [] };
  // A plan has its own section, as it was approved; what was said about it is the last exchange.
  if (pendingPayload !== null && pendingPayload.outcome !== 'plan_complete')
    return { history: items, latest: [{ text: describePending(pendingPayload) }] };
  const last = exchanges.findLast(({ isMessage }) => !isMessage);
  const isOpen = last?.asks === true && state.run.mode !== 'review' && !(await isDealtWith(read, task.id, last.seq));
  if (!isOpen) return { history: items, latest: [] };
  return {
    history: exchanges.filter((one) => one !== last).map(({ text }) => ({ text })),
    latest: [{ text: last.text }],
  };
}

/** A run that ended well after the request has acted on it. */
async function isDealtWith(read: Reader, taskId: string, seq: number): Promise<boolean> {
  const since = await listEvents(read, { taskId, category: 'agent', level: 'info', after: seq, limit: 10_000 });
  return since.some(({ type }) => type === 'agent.completed');
}

async function earlierRuns({ services, task, state, request }: RunContext): Promise<ReadonlyArray<ContextItem>> {
  const { read } = services.store;
  const runs = (await listRuns(read, { taskId: task.id })).filter((run) => run.id !== state.run.id);
  const last = runs.at(-1);
  const steps = last === undefined ? [] : await listSteps(read, last.id);
  const executed = steps.find(({ step, ok }) => step === 'execute' && ok)?.result;
  const retry = request.retry === undefined ? [] : [{ text: describeRetry(request.retry) }];
  // A plan has its own section, because a person may have corrected it since: the planner's text would contradict it.
  const lastWords = last?.outcome === 'plan_complete' ? '' : finalTextOf(executed);
  return [...describeRuns(runs, lastWords), ...retry];
}

function finalTextOf(executed: unknown): string {
  const result: unknown = typeof executed === 'object' && executed !== null ? Reflect.get(executed, 'result') : null;
  const text: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, 'finalText') : null;
  return typeof text === 'string' ? text : '';
}

/** Whoever ends work on a task with criteria is told how to show that they are met. */
function claimItems({ state }: RunContext, { criteria }: Subject): ReadonlyArray<ContextItem> {
  const { mode } = state.run;
  if (criteria.length === 0 || (mode !== 'implement' && mode !== 'review')) return [];
  return [{ text: HOW_TO_CLAIM }];
}

const HOW_TO_CLAIM = `For each acceptance criterion that is met, name what shows it, in payload.criteria beside whatever else the payload has:
[{ "criterion": 1, "evidence": { "check": "name of a project check" } },
 { "criterion": 2, "evidence": { "file": "src/parser.ts", "contains": "parseWeek", "line": 12 } },
 { "criterion": 3, "evidence": [{ "command": "test -f docs/weeks.md" }, { "file": "docs/weeks.md" }] }]
Evidence is one of check, file (with line, contains or sha256 if that matters), command, run and artifact. It is looked at again on your
last commit: leave out what you can't show.`;

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
