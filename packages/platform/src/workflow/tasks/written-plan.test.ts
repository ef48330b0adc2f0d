import { planIn } from '@attractor/store';
import { expect, it } from 'vitest';
import { writtenPlan } from './written-plan.ts';

it('a plan as JSON is checked and stored as the text that is made from it; what is wrong is named with its place', () => {
  const plan = { files_to_create: [{ path: 'auth/jwt.py', purpose: 'tokens' }], commands: ['make'] };
  const written = writtenPlan(JSON.stringify(plan), null);
  expect(written).toMatchObject({ ok: true, value: expect.stringContaining('- `auth/jwt.py`: tokens') });
  expect(planIn(written.ok ? written.value : null)).toMatchObject(plan);
  expect(writtenPlan('{"files_to_create": [{"path": "../x"}], "commandz": 1}', null)).toMatchObject({
    ok: false,
    error: {
      code: 'invalid',
      message: expect.stringMatching(
        /\$\.commandz: expected nothing .*\$\.files_to_create\[0\]\.path: expected the path/,
      ),
    },
  });
  expect(writtenPlan('{"files_to_create": [', null)).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('$: expected JSON') },
  });
});

it('words stay words, and a plan that was data stays one', () => {
  expect(writtenPlan('First this,\nthen that.\n', null)).toEqual({ ok: true, value: 'First this,\nthen that.\n' });
  const data = writtenPlan('{"files_to_create": [{"path": "a.py"}]}', null);
  const before = data.ok ? data.value : '';
  const broken = before.replace('a.py', '../a.py');
  expect([writtenPlan(broken, null).ok, writtenPlan(broken, before).ok]).toEqual([true, false]);
});
