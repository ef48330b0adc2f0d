import { type Agent, createNativeAgent, createScriptedAgent } from '@attractor/adapters';
import { createClient } from '@attractor/llm';
import {
  openPlatform,
  type Platform,
  type PromptAnswer,
  type Result,
  type Task,
  unconfined,
} from '@attractor/platform';
import { readProjectConfig } from '@attractor/project-config';
import { type Simulator, startSimulator } from '@attractor/simulator';
import { describe, expect, test, type TestContext } from 'vitest';
import { makeFolder } from './attractor.ts';
import {
  ANSWER,
  type Beat,
  CHOICE,
  CODING_BEATS,
  COMMENT,
  expectMerged,
  FEATURE_BEATS,
  git,
  makeRemoteWorld,
  modelOf,
  PERMISSION,
  PLAN_TEXT,
  type RemoteWorld,
  scriptsOf,
  WRONG_PLAN,
} from './platform-world.ts';

const ADA = { type: 'user', name: 'Ada' } as const;
const TITLE = 'Make sum add';

/** Who plays the beats. `seen`: what each run was told, in order. */
type Player = { readonly agent: Agent; readonly seen: () => ReadonlyArray<string> };
type AtEnd = TestContext['onTestFinished'];
type PlayerName = 'the scripted agent' | 'our own loop and a model on the wire';

const PLAYERS: Readonly<Record<PlayerName, (beats: ReadonlyArray<Beat>, atEnd: AtEnd) => Promise<Player>>> = {
  'the scripted agent': async (beats) => {
    const scripted = createScriptedAgent(scriptsOf(beats));
    const seen: string[] = [];
    return {
      agent: { ...scripted, run: (options) => (seen.push(options.prompt), scripted.run(options)) },
      seen: () => seen,
    };
  },
  'our own loop and a model on the wire': async (beats, atEnd) => {
    const simulator = await startSimulator({ script: modelOf(beats) });
    const client = createClient({
      configuration: { providers: { anthropic: { apiKey: 'test-key-0001', baseUrl: simulator.baseUrls.anthropic } } },
    });
    atEnd(async () => {
      await client.close();
      await simulator.close();
    });
    const agent = createNativeAgent({ client, defaultProvider: 'anthropic', defaultModel: 'claude-sonnet-4-5' });
    return { agent, seen: () => firstWords(simulator) };
  },
};

/** Of each conversation, what the model was sent first. */
function firstWords(simulator: Simulator): ReadonlyArray<string> {
  expect(simulator.failures().map(({ message }) => message)).toEqual([]);
  return simulator.requests({ position: 0, status: 200 }).map(({ body }) => {
    const messages: unknown = Reflect.get(Object(body), 'messages');
    return Array.isArray(messages) ? JSON.stringify(messages[0]) : '';
  });
}

type Story = RemoteWorld & {
  readonly platform: Platform;
  readonly task: Task;
  readonly seen: Player['seen'];
  /** Moves the task by hand, and waits until nobody works on anything. */
  readonly go: (to: string) => Promise<void>;
  readonly answer: (type: string, answer: PromptAnswer) => Promise<void>;
  readonly status: () => Promise<string | undefined>;
  readonly plan: () => Promise<string | null | undefined>;
};

const BEATS = { feature: FEATURE_BEATS, coding: CODING_BEATS } as const;

async function begin(player: PlayerName, pipelineId: keyof typeof BEATS, atEnd: AtEnd): Promise<Story> {
  const world = makeRemoteWorld();
  const { agent, seen } = await PLAYERS[player](BEATS[pipelineId], atEnd);
  const unexpected: unknown[] = [];
  const platform = must(
    await openPlatform({
      home: makeFolder(),
      agents: [agent],
      env: { PATH: process.env['PATH'], HOME: makeFolder() },
      confine: unconfined,
      onUnexpected: (error) => unexpected.push(error),
    }),
  );
  atEnd(async () => {
    await platform.close();
    expect(unexpected).toEqual([]);
  });
  const { workflow, worker } = platform;
  const project = must(await workflow.createProject({ path: world.checkout }, ADA));
  const { hash } = must(readProjectConfig(project.path, { home: project.path }));
  must(await workflow.trustConfig(project.id, hash, ADA));
  const task = must(await workflow.createTask({ projectId: project.id, title: TITLE, pipelineId }, ADA));
  return {
    ...world,
    platform,
    task,
    seen,
    go: async (to) => {
      must(await workflow.transition({ taskId: task.id, to }, ADA));
      await worker.idle();
    },
    answer: async (type, answer) => {
      const [prompt, ...others] = await workflow.listPrompts({ taskId: task.id, status: 'pending' });
      expect([prompt?.type, others]).toEqual([type, []]);
      const { id: promptId = '', contentHash = '' } = prompt ?? {};
      must(await workflow.answerPrompt({ promptId, contentHash, answer }, ADA));
      await worker.idle();
    },
    status: async () => (await workflow.getTask(task.id))?.status,
    plan: async () => (await workflow.getTask(task.id))?.plan,
  };
}

function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

async function runsOf({ platform, task }: Story): Promise<ReadonlyArray<string>> {
  const runs = await platform.workflow.listRuns({ taskId: task.id });
  return runs.map(({ mode, status, outcome, error }) => `${mode}: ${status} ${outcome ?? error ?? ''}`);
}

async function pathOf({ platform, task }: Story): Promise<ReadonlyArray<string>> {
  return (await platform.workflow.history(task.id)).map(({ transitionId }) => transitionId);
}

async function checksOf({ platform, task }: Story): Promise<ReadonlyArray<string>> {
  const told = await platform.workflow.events({ taskId: task.id, type: 'run.check_finished', limit: 1000 });
  return told.map(({ summary }) => summary);
}

/** The change is on the remote under its own branch and asked to be merged; the remote's base has nothing of it yet. */
async function expectAskedToMerge({ platform, task, bare }: Story): Promise<void> {
  const requests = (await platform.workflow.listArtifacts(task.id)).filter(({ type }) => type === 'pull_request');
  expect(requests).toMatchObject([{ metadata: { state: 'open', baseBranch: 'main', prNumber: 1 } }]);
  const metadata = requests[0]?.metadata ?? {};
  expect(metadata['headCommit']).toBe(git(bare, 'rev-parse', String(metadata['headBranch'])));
  expect(git(bare, 'log', '--format=%s', 'main')).toBe('first');
}

async function merge(story: Story): Promise<void> {
  const { platform, task, bare } = story;
  const merged = must(await platform.workflow.mergePullRequest({ taskId: task.id }, ADA));
  expect(merged.metadata).toMatchObject({ state: 'merged', mergeCommit: git(bare, 'rev-parse', 'main') });
  expectMerged(story, TITLE);
}

/** Each story has one player, so that each of both is seen; in a soak (SOAK=1) every player plays every story. */
const playersOf = (usual: PlayerName): ReadonlyArray<PlayerName> =>
  process.env['SOAK'] === '1' ? (Object.keys(PLAYERS) as ReadonlyArray<PlayerName>) : [usual];

describe.concurrent('the whole story', () => {
  test.for(playersOf('our own loop and a model on the wire'))(
    'on feature with %s: an agent reviews, asks for changes, and approves what came of them',
    async (player, { onTestFinished }) => {
      const story = await begin(player, 'feature', onTestFinished);
      await story.go('planning');
      expect(await story.status()).toBe('planned');
      await story.answer('plan_approval', { decision: 'approve' });
      expect(await story.status()).toBe('changes_requested');
      await expectAskedToMerge(story);
      expect(await checksOf(story)).toEqual([
        'Check test failed on the base commit',
        'Check test failed on the branch',
        'Check test passed on the branch',
      ]);
      await story.go('in_progress');
      expect(await story.status()).toBe('ready_to_merge');
      await expectAskedToMerge(story);
      await story.answer('review', { decision: 'approve' });
      expect(await story.status()).toBe('done');
      expect(await runsOf(story)).toEqual([
        'plan: completed plan_complete',
        'implement: completed pr_ready',
        'review: completed changes_requested',
        'implement: completed pr_ready',
        'review: completed approved',
      ]);
      expect(await pathOf(story)).toEqual([
        'start_plan',
        'planned',
        'implement',
        'ready',
        'review_asks',
        'rework',
        'ready',
        'review_approves',
        'merge_approved',
      ]);
      await merge(story);
      const [plan, implement, review, rework] = story.seen();
      expect(plan).not.toContain(PLAN_TEXT);
      expect(implement).toContain(PLAN_TEXT);
      expect(implement).not.toContain(COMMENT);
      expect(review).toContain('review the change');
      expect(rework).toContain(PLAN_TEXT);
      expect(rework).toContain(`[critical] sum.sh:1: ${COMMENT}`);
    },
  );

  test.for(playersOf('the scripted agent'))(
    'on coding with %s: questions, a choice, a failure, and a person who reviews',
    async (player, { onTestFinished }) => {
      const story = await begin(player, 'coding', onTestFinished);
      await story.go('planning');
      expect(await story.status()).toBe('needs_info');
      await story.answer('question', { decision: 'answer', answers: [{ questionId: 'q1', answer: ANSWER }] });
      expect(await story.status()).toBe('needs_info');
      await story.answer('options', {
        decision: 'answer',
        answers: [{ questionId: 'option', answer: 'short' }],
        message: CHOICE,
      });
      expect(await story.status()).toBe('plan_review');
      expect(await story.plan()).toBe(WRONG_PLAN);
      await story.answer('plan_approval', { decision: 'approve', plan: PLAN_TEXT });
      expect(await story.status()).toBe('needs_info');
      await story.answer('question', { decision: 'answer', answers: [{ questionId: 'q1', answer: PERMISSION }] });
      expect(await story.status()).toBe('failed');
      await story.go('implementing');
      expect(await story.status()).toBe('pr_review');
      await expectAskedToMerge(story);
      await story.answer('review', { decision: 'changes', message: COMMENT });
      expect(await story.status()).toBe('pr_review');
      await story.answer('review', { decision: 'approve' });
      expect(await story.status()).toBe('done');
      expect(await runsOf(story)).toEqual([
        'plan: completed needs_info',
        'plan: completed options_proposed',
        'plan: completed plan_complete',
        'implement: completed needs_info',
        'implement: failed Project checks failed: test',
        'implement: completed pr_ready',
        'implement: completed pr_ready',
      ]);
      await merge(story);
      const [first, asked, chosen, work, answered, again, rework] = story.seen();
      expect(first).not.toContain('Which numbers?');
      for (const words of ['Which numbers?', ANSWER]) expect(asked).toContain(words);
      for (const words of [ANSWER, 'Two ways to add', 'short', CHOICE]) expect(chosen).toContain(words);
      expect(work).toContain(PLAN_TEXT);
      expect(work).not.toContain(WRONG_PLAN);
      for (const words of ['May the file be renamed?', PERMISSION, PLAN_TEXT]) expect(answered).toContain(words);
      for (const words of ['Project checks failed: test', '2 and 3 gave 6', PERMISSION]) expect(again).toContain(words);
      for (const words of [COMMENT, PLAN_TEXT]) expect(rework).toContain(words);
    },
  );
});
