import { defined } from '@attractor/base';
import type { ApprovalBody, BranchState, MergeQuery, PhaseQuery } from '@attractor/api';
import type { Artifact } from '@attractor/platform';
import { diffLines, facts, table } from '@attractor/console/lines';
import { type Busy } from '../../verbs/show-call.ts';
import { readableText, type Style } from '@attractor/console';
import { type Call, type Verb, verb } from '../../verbs/verb.ts';

const ID = { name: '<id>', about: "the task's key or id" };
const PHASE = { flag: '--phase <id>', about: 'only for this phase of the task' } as const;

const METHODS = ['squash', 'merge', 'ff'] as const satisfies ReadonlyArray<MergeQuery['method']>;
const METHOD = {
  flag: '--method <how>',
  about: "squash, merge or ff (fast-forward) (default: the project's setting, or squash)",
  choices: METHODS,
} as const;

/** Verbs for the branch of a task. Nothing is forced, and nothing of a person's that is not committed is touched. */
export const TASK_BRANCH_VERBS: ReadonlyArray<Verb> = [
  verb({
    name: 'branch',
    summary: "compare a task's branch with its base, its remote and its pull request",
    arguments: [ID],
    flags: [PHASE],
    examples: ['tasks branch ATT-12', 'tasks branch ATT-12 --json'],
    call: ({ client, arg, flags }) => client.branches.state(arg(0), phaseOf(flags)),
    ids: ({ branch }) => [branch],
    show: (state, { style }) => branchLines(state, style),
  }),
  verb({
    name: 'diff',
    summary: 'show what a task changed',
    arguments: [ID],
    flags: [PHASE, { flag: '--stat', about: 'only files and counts' }],
    examples: ['tasks diff ATT-12', 'tasks diff ATT-12 --stat'],
    call: ({ client, arg, flags }) => client.branches.diff(arg(0), phaseOf(flags)),
    ids: ({ files }) => files.map(({ path }) => path),
    show: (diff, { style, flags }) => diffLines(diff, { style, isShort: flags.has('stat') }),
  }),
  verb({
    name: 'push',
    summary: 'push the branch of a task, and open the pull request that a refused push left out',
    arguments: [ID],
    flags: [PHASE],
    notes: 'Exit code 1 or 4 when the remote refuses: the work stays here, and the message says what to do.',
    examples: ['tasks push ATT-12'],
    busy: busy('pushing'),
    call: ({ client, arg, flags }) => client.branches.push(arg(0), phaseOf(flags)),
    ids: (effects) => effects.map(({ id }) => id),
    show: (effects, { style }) =>
      table(effects, {
        style,
        none: 'Nothing to push.',
        columns: [
          { head: 'WHAT', cell: ({ work, key }) => work?.kind ?? key },
          { head: 'STATE', cell: ({ state }) => state },
          { head: 'WHY', cell: ({ error }) => error ?? '' },
        ],
      }),
  }),
  verb({
    name: 'rebase',
    summary: 'bring the branch of a task up to date with its base; a conflict changes nothing and is shown',
    arguments: [ID],
    flags: [PHASE],
    examples: ['tasks rebase ATT-12'],
    busy: busy('bringing it up to date'),
    call: ({ client, arg, flags }) => client.branches.rebase(arg(0), phaseOf(flags)),
    ids: ({ after }) => [after],
    show: ({ how, before, after }) => [
      how === 'up to date' ? 'It is up to date.' : `${how}: ${before.slice(0, 8)} is now ${after.slice(0, 8)}`,
    ],
  }),
  verb({
    name: 'merge',
    summary: 'merge the approved work of a task into its base',
    arguments: [ID],
    flags: [PHASE, METHOD],
    notes:
      'A checkout of the base moves forward with it. If it cannot, because of uncommitted changes or because the base has\ndiverged, the message says so and nothing is done.',
    examples: ['tasks merge ATT-12', 'tasks merge ATT-12 --method ff'],
    busy: busy('merging'),
    call: ({ client, arg, flags }) => client.branches.merge(arg(0), { ...phaseOf(flags), ...methodOf(flags) }),
    show: mergedLines,
  }),
  verb({
    name: 'approve',
    summary: 'accept the work of a task, and merge it if you say so',
    arguments: [ID],
    flags: [
      { flag: '--merge', about: 'merge it too; if that is impossible, nothing is approved' },
      METHOD,
      { flag: '--message <text>', about: 'a comment on it' },
      { flag: '--hash <hash>', about: 'of the review that you saw: no other is answered' },
    ],
    examples: ['tasks approve ATT-12', 'tasks approve ATT-12 --merge', 'tasks approve ATT-12 --merge --method ff'],
    busy: busy('approving'),
    call: ({ client, arg, flags }) => client.branches.approve(arg(0), approvalOf(flags)),
    ids: ({ task }) => [task.id],
    show: ({ task, pullRequest }) =>
      pullRequest === null
        ? [`Approved: ${task.key} is in ${task.status} now. To merge it: attractor tasks merge ${task.key}`]
        : mergedLines(pullRequest),
  }),
  verb({
    name: 'resolve',
    summary: 'let an agent resolve what conflicts with the base; the work is reviewed again afterwards',
    arguments: [ID],
    flags: [PHASE],
    examples: ['tasks resolve ATT-12'],
    busy: busy('looking for conflicts'),
    call: ({ client, arg, flags }) => client.branches.resolve(arg(0), phaseOf(flags)),
    ids: ({ run }) => (run === null ? [] : [run.id]),
    show: ({ update, run }, { given }) =>
      run === null
        ? [
            `Nothing conflicts: the branch is ${update.how === 'up to date' ? update.how : `up to date (${update.how})`}. To merge it: attractor tasks merge ${given(0)}`,
          ]
        : [
            `An agent resolves ${(update.conflicts ?? []).map(readableText).join(', ')}.`,
            `To watch it: attractor runs watch ${run.key}`,
          ],
  }),
  verb({
    name: 'revert-merge',
    summary: 'take the merge of a task back, by a commit on top of its base',
    arguments: [ID],
    flags: [PHASE],
    notes:
      'What came after the merge stays. If the same lines have changed since, nothing is done and the files are named.',
    examples: ['tasks revert-merge ATT-12'],
    busy: busy('reverting'),
    call: ({ client, arg, flags }) => client.branches.revert(arg(0), phaseOf(flags)),
    show: ({ label, metadata }) => [
      `Reverted: ${readableText(label)} on ${readableText(String(metadata['baseBranch']))} by ${String(metadata['revertCommit']).slice(0, 12)}`,
    ],
  }),
  {
    name: 'watch',
    summary: 'follow a task live until it ends',
    arguments: [ID],
    flags: [
      { flag: '--all', about: 'print its whole log first' },
      { flag: '--until <when>', about: 'end, or rest: also stop when it waits for a person', choices: ['end', 'rest'] },
    ],
    notes:
      "Begins with the task's state; with --all, with everything that has happened to it. Exit code: 0 done, 1 failed or cancelled, 130\nleft with Ctrl-C (the task continues). With --json: the task, then each event; the last line is the task again, as it ended.",
    examples: ['tasks watch ATT-12', 'tasks watch ATT-12 --all', 'tasks watch ATT-12 --until rest --json'],
    run: async (call) => {
      const { watchTask } = await import('../../follow/watch.ts');
      const from = call.flags.has('all') ? 'beginning' : 'now';
      return watchTask(call, { id: call.arg(0), from, until: call.flags.text('until') === 'rest' ? 'rest' : 'end' });
    },
  },
];

/** The log of the task tells of checks and moves. */
function busy(doing: string): (call: Call) => Busy {
  return ({ arg, given }) => ({ doing: `${doing} ${given(0)}`, of: { taskId: arg(0) } });
}

function phaseOf(flags: Call['flags']): PhaseQuery {
  const phaseId = flags.text('phase');
  return defined({ phaseId });
}

function methodOf(flags: Call['flags']): Pick<MergeQuery, 'method'> {
  const named = flags.text('method');
  return defined({ method: METHODS.find((method) => method === named) });
}

function approvalOf(flags: Call['flags']): ApprovalBody {
  const [message, contentHash] = [flags.text('message'), flags.text('hash')];
  return { ...methodOf(flags), ...defined({ message, contentHash }), ...(flags.has('merge') ? { merge: true } : {}) };
}

/** Says where the work is now: the commit and the base, as git has them. */
function mergedLines({ label, url, metadata }: Artifact): ReadonlyArray<string> {
  const { baseBranch, mergeCommit } = metadata;
  const into = typeof baseBranch === 'string' ? ` into ${readableText(baseBranch)}` : '';
  const as = typeof mergeCommit === 'string' ? ` as ${mergeCommit.slice(0, 12)}` : '';
  const notice = metadata['mergeNotice'];
  return [
    `Merged: ${readableText(label)}${into}${as}${url === null ? '' : ` ${readableText(url)}`}`,
    ...(typeof notice === 'string' ? [readableText(notice)] : []),
  ];
}

function branchLines(state: BranchState, style: Style): ReadonlyArray<string> {
  const { pullRequest } = state;
  const isPushed = state.remoteCommit === state.headCommit;
  return facts(
    [
      ['branch', `${state.branch} at ${state.headCommit.slice(0, 8)}`],
      ['base', `${state.baseBranch} at ${state.baseCommit.slice(0, 8)}`],
      ['ahead', state.ahead],
      ['behind', state.behind],
      ['conflicts', state.conflicts.join(', ')],
      ['remote', state.remote === null ? 'none' : `${state.remote}${isPushed ? '' : ' (not pushed)'}`],
      [
        'pull request',
        pullRequest === null
          ? ''
          : [numberText(pullRequest.number), pullRequest.state, pullRequest.url].filter(Boolean).join(' '),
      ],
    ],
    style,
  );
}

function numberText(number: number | null): string {
  return number === null ? '' : `#${number}`;
}
