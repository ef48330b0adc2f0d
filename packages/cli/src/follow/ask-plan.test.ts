import type { PromptOf } from '@attractor/platform';
import { expect, it } from 'vitest';
import type { ApprovalTerminal } from '../approval/tool-approval.ts';
import { askPlan } from './ask-plan.ts';

const TEXT = '# Plan\n\n## Files to create\n\n- `a.ts`: the new one';
const DATA = {
  files_to_create: [{ path: 'a.ts', purpose: 'the new one' }],
  files_to_modify: [],
  dependencies: [],
  commands: [],
  tests: [],
  order: [],
  risks: [],
};
const PROMPT: PromptOf<'plan_approval'> = {
  id: 'prm_1',
  key: 'ATT-1.q1',
  taskId: 'tsk_1',
  runId: null,
  type: 'plan_approval',
  title: 'Approve the plan',
  payload: { plan: TEXT, data: DATA },
  contentHash: 'h',
  status: 'pending',
  answer: null,
  createdAt: '',
  answeredAt: null,
};

/** A person who presses and types these in turn, and whose editor leaves these texts. */
function person(given: { readonly keys: ReadonlyArray<string | null>; readonly left?: ReadonlyArray<string | null> }) {
  const [keys, left] = [[...given.keys], [...(given.left ?? [])]];
  const shown: string[] = [];
  const opened: string[] = [];
  const terminal: ApprovalTerminal = {
    note: (text) => void shown.push(text),
    choose: async (_message, options) => {
      const key = keys.shift() ?? null;
      return options.find((option) => option.key === key)?.value ?? null;
    },
    text: async () => keys.shift() ?? null,
    edit: async (text) => (opened.push(text), left.shift() ?? null),
  };
  return { terminal, shown, opened };
}

it('an edited plan is judged, shown again, and approved only as it was last shown', async () => {
  const [bad, good] = [TEXT.replace('`a.ts`', '`../a.ts`'), TEXT.replace('a.ts', 'b.ts')];
  const one = person({ keys: ['e', 'e', 'y'], left: [bad, good] });
  expect(await askPlan(one.terminal, PROMPT)).toEqual({ decision: 'approve', plan: good });
  expect(one.shown).toEqual([TEXT, expect.stringContaining('line 5'), good]);
  expect(one.opened).toEqual([TEXT, bad]);
  const dropped = person({ keys: ['e', 'd', 'y'], left: [bad] });
  expect(await askPlan(dropped.terminal, PROMPT)).toEqual({ decision: 'approve' });
  const empty = person({ keys: ['e', 'd', 'n', ''], left: ['  '] });
  expect(await askPlan(empty.terminal, PROMPT)).toEqual({ decision: 'reject' });
  const broken = person({ keys: ['e', 'y'], left: [null] });
  expect(await askPlan(broken.terminal, PROMPT)).toEqual({ decision: 'approve' });
});

it('takes words with an approval and a request, explains on demand, and lets nothing through by Ctrl-C or silence', async () => {
  const answer = async (...keys: ReadonlyArray<string | null>) => askPlan(person({ keys }).terminal, PROMPT);
  expect(await answer('b', 'skip the tests')).toEqual({ decision: 'approve', message: 'skip the tests' });
  expect(await answer('x', 'c', 'keep the name')).toEqual({ decision: 'changes', message: 'keep the name' });
  expect([await answer(null), await answer('b', ''), await answer('c', ''), await answer('n', null)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
