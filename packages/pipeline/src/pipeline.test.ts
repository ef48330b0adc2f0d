import { describe, expect, it } from 'vitest';
import type { PipelineDefinition, Task } from '@attractor/store';
import { BUILT_IN_PIPELINES } from './builtin/index.ts';
import { CODING } from './builtin/coding.ts';
import { decideOptions, reachableOutcomes } from './decide.ts';
import { readPipelineDefinition } from './definition.ts';
import { ASKED_BY } from './facts.ts';
import { type GuardFacts, GUARDS } from './guards.ts';
import { ACTIONS } from './actions/actions.ts';

const TASK: Task = {
  id: 'tsk_1',
  key: 'ATT-1',
  projectId: 'prj_1',
  title: 't',
  description: '',
  status: 'open',
  pipelineId: 'coding',
  pipelineVersion: 1,
  priority: 'medium',
  size: 'm',
  complexity: 'medium',
  tags: [],
  plan: null,
  parentTaskId: null,
  sortOrder: 0,
  acceptanceCriteria: [],
  pendingPayload: null,
  sourceUrl: null,
  version: 1,
  createdAt: '',
  updatedAt: '',
};

const facts = (task: Partial<Task>, more: Partial<GuardFacts> = {}): GuardFacts => ({
  task: { ...TASK, ...task },
  runningRuns: 0,
  payload: null,
  artifacts: [],
  visits: {},
  waitingFor: [],
  phases: [],
  review: null,
  split: null,
  unsettled: [],
  criteria: [],
  checks: [],
  scan: null,
  ...more,
});

/** Whether the action starts an agent in this mode. */
const starts = (mode: string) => (action: { readonly type: string; readonly params?: object }) =>
  action.type === 'start_agent' && Reflect.get(action.params ?? {}, 'mode') === mode;

describe('the built-in pipelines', () => {
  it('what failed is taken up where it was: a question that it asks then still leads on', () => {
    const stuck = BUILT_IN_PIPELINES.flatMap(({ id, transitions }) =>
      ['clarify', 'plan', 'implement']
        .filter((mode) => {
          const into = transitions.filter(({ hooks = [] }) => hooks.some(starts(mode)));
          const fails = into.some(({ to }) =>
            transitions.some(
              ({ from, trigger, to: end }) =>
                trigger.type === 'agent_error' && end === 'failed' && (from === to || from === '*'),
            ),
          );
          return fails && !into.some(({ from }) => from === 'failed');
        })
        .map((mode) => `${id}: ${mode}`),
    );
    expect(stuck).toEqual([]);
  });

  it.each(BUILT_IN_PIPELINES.map((pipeline) => [pipeline.id, pipeline] as const))(
    '%s is valid and names only guards and hooks that exist',
    (_id, pipeline) => {
      expect(readPipelineDefinition(structuredClone(pipeline))).toMatchObject({ ok: true });
      for (const { guards = [], hooks = [] } of pipeline.transitions) {
        for (const { type } of guards) expect(Object.keys(GUARDS)).toContain(type);
        for (const { type } of hooks) expect(Object.keys(ACTIONS)).toContain(type);
      }
    },
  );

  it.each(BUILT_IN_PIPELINES.map((pipeline) => [pipeline.id, pipeline] as const))(
    '%s lets every one of its transitions happen, once what its guards ask for is there',
    (_id, pipeline) => {
      const artifact = {
        id: 'art_1',
        taskId: 'tsk_1',
        key: 'k',
        phaseId: null,
        runId: null,
        label: '',
        url: null,
      } as const;
      const given = { content: null, filePath: null, createdBy: 'agent', createdAt: '' } as const;
      const artifacts = [
        { ...artifact, ...given, type: 'branch', metadata: {} },
        { ...artifact, ...given, type: 'pull_request', metadata: { state: 'open' } },
      ] as const;
      for (const transition of pipeline.transitions) {
        const status = transition.from === '*' ? pipeline.initialStatus : transition.from;
        const visits = Object.fromEntries(pipeline.statuses.map(({ id }) => [id, 1]));
        const at = facts({ status, plan: 'P' }, { artifacts, visits });
        const options = decideOptions(pipeline, at, transition.trigger);
        const own = options.find((option) => option.transition.id === transition.id);
        expect({ id: transition.id, allowed: own?.allowed }).toEqual({ id: transition.id, allowed: true });
      }
    },
  );

  it.each([
    ['has_pr', {}],
    ['has_final_pr', {}],
    ['has_branch', {}],
    ['has_plan', {}],
    ['dependencies_resolved', {}],
    ['has_payload_response', { payloadType: 'needs_info' }],
    ['current_phase_has_pr', {}],
    ['current_phase_pr_merged', {}],
    ['all_phases_completed', {}],
    ['review_approved', {}],
    ['review_changes_requested', {}],
    ['split_approved', {}],
    ['split_rejected', {}],
    ['subtasks_settled', {}],
    ['criteria_met', {}],
    ['has_tests', {}],
    ['scan_passed', {}],
    ['no_running_agent', {}],
    ['max_iterations', { statusId: 'open', max: 1 }],
    ['has_been_in', { statusId: 'review' }],
  ])('the guard %s blocks a task that has nothing, and says what would satisfy it', (name, params) => {
    const phases = [
      { id: 'pha_1', taskId: 'tsk_1', name: 'one', description: '', status: 'in_progress', position: 0 },
    ] as const;
    const nothing = facts(
      {},
      {
        phases,
        runningRuns: 1,
        visits: { open: 1 },
        waitingFor: [{ key: 'ATT-2', title: 'other' }],
        criteria: [{ number: 1, text: 'It works', state: 'claimed', detail: null }],
        unsettled: [{ key: 'ATT-3', title: 'part' }],
      },
    );
    expect(GUARDS[name]?.(nothing, params)).toMatch(/\S+/);
  });

  it('the coding pipeline has the statuses it is known for', () => {
    expect(CODING.statuses.map(({ id }) => id)).toEqual([
      'open',
      'clarifying',
      'planning',
      'plan_review',
      'implementing',
      'pr_review',
      'needs_info',
      'done',
      'failed',
      'cancelled',
    ]);
  });
});

describe('deciding', () => {
  it('offers a person what leads on by hand, the wildcard included', () => {
    const options = decideOptions(CODING, facts({ status: 'open' }), { type: 'manual' });
    expect(options.map(({ transition }) => transition.to)).toEqual([
      'clarifying',
      'planning',
      'implementing',
      'cancelled',
    ]);
    expect(options.every(({ allowed }) => allowed)).toBe(true);
  });

  it('says which guard blocks and what would satisfy it', () => {
    const [approve] = decideOptions(CODING, facts({ status: 'plan_review' }, { runningRuns: 1 }), { type: 'manual' });
    expect(approve).toMatchObject({
      allowed: false,
      blockedBy: [{ guard: 'has_plan' }, { guard: 'no_running_agent', reason: expect.stringContaining('stop it') }],
    });
  });

  it('matches an outcome by its name', () => {
    const ready = decideOptions(CODING, facts({ status: 'implementing' }), {
      type: 'agent_outcome',
      outcome: 'pr_ready',
    });
    expect(ready.map(({ transition }) => transition.to)).toEqual(['pr_review']);
    expect(
      decideOptions(CODING, facts({ status: 'implementing' }), { type: 'agent_outcome', outcome: 'approved' }),
    ).toEqual([]);
    expect(reachableOutcomes(CODING, 'planning')).toEqual(['plan_complete', 'needs_info', 'options_proposed']);
  });

  it('lets nothing leave a terminal status', () => {
    for (const status of CODING.terminalStatuses)
      expect(decideOptions(CODING, facts({ status }), { type: 'manual' })).toEqual([]);
  });

  it('ends a review loop at its cap', () => {
    const rework = (visits: number) =>
      decideOptions(CODING, facts({ status: 'pr_review' }, { visits: { implementing: visits } }), {
        type: 'manual',
      }).find(({ transition }) => transition.id === 'rework');
    expect(rework(4)?.allowed).toBe(true);
    expect(rework(5)).toMatchObject({ allowed: false, blockedBy: [{ guard: 'max_iterations' }] });
  });

  it('blocks on a guard that does not exist', () => {
    const odd: PipelineDefinition = {
      ...CODING,
      transitions: [
        {
          id: 'x',
          from: 'open',
          to: 'done',
          label: 'X',
          trigger: { type: 'manual' },
          guards: [{ type: 'moon_is_full' }],
        },
      ],
    };
    expect(decideOptions(odd, facts({ status: 'open' }), { type: 'manual' })).toMatchObject([
      { allowed: false, blockedBy: [{ guard: 'moon_is_full' }] },
    ]);
  });
});

describe('reading a definition', () => {
  const broken = (change: (value: Record<string, unknown>) => void): ReadonlyArray<string> => {
    const value: Record<string, unknown> = JSON.parse(JSON.stringify(CODING));
    change(value);
    const read = readPipelineDefinition(value);
    return read.ok
      ? []
      : (read.error.detail as ReadonlyArray<{ path: string; expected: string }>).map(
          ({ path, expected }) => `${path}: ${expected}`,
        );
  };

  it('names the place and what is expected there', () => {
    expect(broken((value) => delete value['name'])).toEqual(['$.name: a non-empty text']);
    expect(broken((value) => (value['initialStatus'] = 'nowhere'))[0]).toMatch(
      /^\$\.initialStatus: one of the statuses open, clarifying/,
    );
    expect(broken((value) => (value['statuses'] = []))).toContain('$.statuses: a list with at least one entry');
    expect(
      broken(
        (value) =>
          (value['transitions'] = [{ id: 'a', from: 'open', to: 'moon', label: 'A', trigger: { type: 'manual' } }]),
      )[0],
    ).toMatch(/^\$\.transitions\[0\]\.to: one of the statuses/);
    expect(
      broken(
        (value) =>
          (value['transitions'] = [{ id: 'a', from: 'open', to: 'done', label: 'A', trigger: { type: 'whim' } }]),
      ),
    ).toEqual(['$.transitions[0].trigger.type: one of manual, agent_outcome, agent_error, subtasks_settled, any']);
    expect(
      broken(
        (value) =>
          (value['transitions'] = [
            { id: 'a', from: 'open', to: 'done', label: 'A', trigger: { type: 'agent_outcome' } },
          ]),
      ),
    ).toEqual(['$.transitions[0].trigger.outcome: the name of an outcome']);
  });

  it('refuses a field that nobody reads: it would be kept, shown and ignored', () => {
    expect(broken((value) => (value['staus'] = []))).toEqual([
      expect.stringMatching(/^\$\.staus: none: the fields here are id, version, name/),
    ]);
    const own = { id: 'a', from: 'open', to: 'done', label: 'A', trigger: { type: 'manual' } };
    expect(broken((value) => (value['transitions'] = [{ ...own, gaurds: [{ type: 'has_plan' }] }]))).toEqual([
      expect.stringMatching(/^\$\.transitions\[0\]\.gaurds: none: the fields here are .*guards, hooks$/),
    ]);
  });

  it('refuses a status that no task comes to, and one from which none comes to an end', () => {
    const status = (id: string, position: number) => ({ id, label: id, color: 'gray', category: 'waiting', position });
    const statuses = ['open', 'spare', 'done', 'cancelled'].map(status);
    const ways = (...more: ReadonlyArray<readonly [from: string, to: string]>) =>
      broken((value) => {
        const all = [['open', 'done'], ['open', 'cancelled'], ...more] as const;
        const trigger = { type: 'manual' };
        const transitions = all.map(([from, to], at) => ({ id: `way_${at}`, from, to, label: 'Way', trigger }));
        Object.assign(value, { statuses, transitions });
      });
    const unreached = '$.statuses[1]: a transition into "spare" that a task can take: none leads there from "open"';
    expect(ways()).toEqual([unreached]);
    expect(ways(['spare', 'done'])).toEqual([unreached]);
    // A task stays at an end.
    expect(ways(['done', 'spare'], ['spare', 'done'])).toEqual([unreached]);
    expect(ways(['open', 'spare'])).toEqual([
      '$.statuses[1]: a way from "spare" to an end (done, cancelled): no transition leads there',
    ]);
    expect(ways(['open', 'spare'], ['spare', 'done'])).toEqual([]);
    expect(ways(['open', 'spare'], ['*', 'cancelled'])).toEqual([]);
    expect(broken((value) => (value['terminalStatuses'] = []))).toEqual([
      '$.terminalStatuses: at least one status in which a task is over',
    ]);
  });

  it('refuses what is no object at all, and ids that are taken', () => {
    expect(readPipelineDefinition(null)).toMatchObject({ ok: false, error: { code: 'invalid' } });
    const twice = CODING.statuses.concat(CODING.statuses.slice(0, 1));
    expect(readPipelineDefinition({ ...CODING, statuses: twice })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('"open" is taken') },
    });
  });

  const transition = (more: object) => (value: Record<string, unknown>) =>
    (value['transitions'] = [
      ...CODING.transitions,
      { id: 'mine', from: 'pr_review', to: 'implementing', label: 'M', trigger: { type: 'manual' }, ...more },
    ]);

  it.each<[string, object, string]>([
    ['a guard that does not exist', { guards: [{ type: 'moon_is_full' }] }, 'guards[0].type: one of no_running_agent'],
    ['a hook that does not exist', { hooks: [{ type: 'celebrate' }] }, 'hooks[0].type: one of start_agent'],
    [
      'a mode that does not exist',
      { hooks: [{ type: 'start_agent', params: { mode: 'x' } }] },
      'mode: one of clarify, plan',
    ],
    [
      'an outcome that nobody describes',
      { trigger: { type: 'agent_outcome', outcome: 'looks_good' } },
      'trigger.outcome: one of plan_complete',
    ],
    [
      'a loop of a status that does not exist',
      { guards: [{ type: 'max_iterations', params: { statusId: 'nowhere' } }] },
      'guards[0].params.statusId: one of open',
    ],
    [
      'a cap that lets nothing pass',
      { guards: [{ type: 'max_iterations', params: { statusId: 'open', max: 0 } }] },
      'guards[0].params.max: a whole number from 1',
    ],
    [
      'an answer to what nobody asks',
      { guards: [{ type: 'has_payload_response', params: { payloadType: 'approved' } }] },
      'guards[0].params.payloadType: an outcome that triggers a transition',
    ],
    [
      'a question of no type, and an answer that leads nowhere',
      {
        hooks: [
          { type: 'create_prompt', params: { type: 'review', answers: { approve: 'plan_review', maybe: 'failed' } } },
        ],
      },
      'answers.approve: a status that a person can move the task to from "implementing"',
    ],
  ])('refuses %s', (_what, more, said) => {
    expect(broken(transition(more)).join(' ')).toContain(said);
  });

  it('takes outcomes of its own with their payloads, if a transition needs them and their names are free', () => {
    const trigger = { type: 'agent_outcome', outcome: 'looks_good' };
    const outcomes = { looks_good: { description: 'It looks good', schema: { type: 'object' } } };
    const own = { ...CODING, outcomes, transitions: [...CODING.transitions] };
    const place = { id: 'good', from: 'implementing', to: 'done', label: 'Good', trigger };
    expect(readPipelineDefinition({ ...own, transitions: [...CODING.transitions, place] })).toMatchObject({ ok: true });
    expect(broken((value) => (value['outcomes'] = outcomes))[0]).toContain('a transition that it triggers');
    expect(broken((value) => (value['outcomes'] = { pr_ready: { description: 'x' } })).join(' ')).toContain(
      'another name',
    );
    expect(broken((value) => (value['outcomes'] = { 'a b': {} })).join(' ')).toMatch(
      /letters, digits.*description: a text that tells agents/,
    );
  });
});

it('every guard gets what it looks at', () => {
  const from: Readonly<Record<string, keyof typeof ASKED_BY>> = { review: 'prompts', split: 'prompts' };
  const phase = { id: 'pha_1', taskId: 'tsk_1', name: 'one', description: '', position: 0 } as const;
  const given = facts({}, { phases: [{ ...phase, status: 'in_progress' }] });
  for (const [name, guard] of Object.entries(GUARDS)) {
    const looked = new Set<string>();
    const seen = new Proxy(given, {
      get: (all, fact, receiver) => {
        looked.add(String(fact));
        return Reflect.get(all, fact, receiver) as unknown;
      },
    });
    guard(seen, { statusId: 'open' });
    for (const fact of looked) {
      if (fact === 'task' || fact === 'payload') continue;
      const read: unknown = Reflect.get(ASKED_BY, from[fact] ?? fact);
      expect({ name, fact, read }).toEqual({ name, fact, read: expect.arrayContaining([name]) });
    }
  }
});
