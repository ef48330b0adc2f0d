import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defined } from '@attractor/base';
import { createMemoryJournal } from '@attractor/journal';
import {
  createPolicy,
  type Decision,
  livePolicy,
  type LivePolicy,
  parseRule,
  type PermissionMode,
  type PermissionRule,
} from '@attractor/policy';
import { CALLS, judgeByHand, RULES, type SmallCall, type SmallState } from '@attractor/policy/testing';
import { createAnthropicProfile } from '../profiles/anthropic.ts';
import { runs } from '@attractor/base/testing';
import { createMemoryEnvironment } from '../testing/memory-environment.ts';
import { createScriptedClient, type Reply } from '../testing/scripted-client.ts';
import type { Approve } from '../contract/session.ts';
import { createSession } from './session.ts';

const MODES: ReadonlyArray<PermissionMode> = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'];
const ROOT = '/memory';

const call = fc.constantFrom(...CALLS);
const mode = fc.constantFrom(...MODES);
const rule = fc.record({
  behavior: fc.constantFrom<Decision>('allow', 'allow', 'ask', 'deny'),
  text: fc.constantFrom(...Object.keys(RULES)),
  forSession: fc.boolean(),
});
type Change = { readonly mode: PermissionMode } | { readonly rule: SmallState['rules'][number] };
const change: fc.Arbitrary<Change> = fc.oneof(fc.record({ mode }), fc.record({ rule }));

type Reaction = 'once' | 'always' | 'deny' | 'other content' | 'tampers' | { readonly instead: SmallCall };
const reaction: fc.Arbitrary<Reaction> = fc.oneof(
  fc.constantFrom<Reaction>('once', 'always', 'deny', 'other content', 'tampers'),
  fc.record({ instead: call }),
);

type Step =
  | { readonly change: Change }
  | {
      readonly by: 'parent' | 'child';
      readonly calls: ReadonlyArray<SmallCall>;
      readonly reaction: Reaction;
      readonly meanwhile: Change | null;
    };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ change }),
  fc.record({
    by: fc.constantFrom<'parent' | 'child'>('parent', 'child'),
    calls: fc.array(call, { minLength: 1, maxLength: 1 }),
    reaction,
    meanwhile: fc.option(change),
  }),
  fc.record({
    by: fc.constantFrom<'parent' | 'child'>('parent', 'child'),
    calls: fc.array(call, { minLength: 2, maxLength: 3 }),
    reaction,
    meanwhile: fc.constant(null),
  }),
);

function ruleOf({ behavior, text, forSession }: SmallState['rules'][number]): PermissionRule {
  const scope = forSession ? 'session' : 'user';
  const parsed = parseRule(text, behavior, { scope, file: null, line: null, root: ROOT });
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.rule;
}

function apply(state: SmallState, live: LivePolicy, wanted: Change): SmallState {
  if ('mode' in wanted) {
    live.setMode(wanted.mode);
    return { mode: wanted.mode, rules: state.rules.filter((one) => one.behavior !== 'allow' || !one.forSession) };
  }
  live.addRules([ruleOf(wanted.rule)]);
  return { ...state, rules: [...state.rules, wanted.rule] };
}

/** Sessions whose tools only write down what they were given, next to a model of what may run. */
function makeWorld(childMode: PermissionMode | null) {
  const live = livePolicy(createPolicy({ rules: [], mode: 'default', root: ROOT, home: '/home/me', sandboxed: true }));
  let state: SmallState = { mode: 'default', rules: [] };
  let current: Extract<Step, { calls: unknown }> | null = null;
  const byPerson = new Set<string>();
  const problems: string[] = [];
  const ran: string[] = [];
  const nameOf = (id: string, args: unknown): string => JSON.stringify([id, args]);

  const check = (toolName: string, args: Readonly<Record<string, unknown>>, toolCallId: string): void => {
    const exact = CALLS.find((one) => JSON.stringify(one.args) === JSON.stringify(args) && one.toolName === toolName);
    if (exact === undefined) return void problems.push(`ran what nobody asked for: ${JSON.stringify(args)}`);
    const judges = [judgeByHand(exact, state)];
    if (current?.by === 'child' && childMode !== null) judges.push(judgeByHand(exact, { ...state, mode: childMode }));
    ran.push(JSON.stringify(args));
    if (judges.includes('deny'))
      problems.push(`ran what is denied: ${JSON.stringify(args)} in ${JSON.stringify(state)}`);
    if (judges.includes('ask') && !byPerson.has(nameOf(toolCallId, args)))
      problems.push(`ran what a person did not allow: ${JSON.stringify(args)} in ${JSON.stringify(state)}`);
  };
  const isDenied = ({ toolName, args }: { readonly toolName: string; readonly args: unknown }): boolean => {
    const small = CALLS.find((one) => one.toolName === toolName && JSON.stringify(one.args) === JSON.stringify(args));
    return small !== undefined && judgeByHand(small, state) === 'deny';
  };
  const approve: Approve = async (request) => {
    const { reaction: wanted = 'deny', meanwhile = null } = current ?? {};
    if (meanwhile !== null) state = apply(state, live, meanwhile);
    const allow = (args: unknown): void => void byPerson.add(nameOf(request.toolCallId, args));
    if (wanted === 'deny') return { decision: 'reject', message: 'no' };
    if (wanted === 'other content') return { decision: 'approve', contentHash: 'another' };
    const exact = structuredClone(request.input);
    if (wanted === 'tampers') Object.assign(request.input, { command: 'rm -rf /', file_path: 'b.txt' });
    if (typeof wanted === 'object') {
      if (wanted.instead.toolName === request.toolName) allow(wanted.instead.args);
      return { decision: 'approve', input: wanted.instead.args };
    }
    allow(exact);
    const rules = wanted === 'always' ? (request.suggestions[0]?.rules ?? []) : [];
    if (rules.length === 0) return { decision: 'approve', contentHash: request.contentHash };
    for (const text of rules) if (!(text in RULES)) problems.push(`suggested ${text}`);
    // What a change meanwhile denies is refused whatever the answer, and then nothing of it is kept.
    if (isDenied({ toolName: request.toolName, args: exact }))
      return { decision: 'approve', remember: { rules, destination: 'session' } };
    state = {
      ...state,
      rules: [...state.rules, ...rules.map((text) => ({ behavior: 'allow' as const, text, forSession: true }))],
    };
    return { decision: 'approve', remember: { rules, destination: 'session' } };
  };
  const open = (policy: LivePolicy) => {
    const profile = createAnthropicProfile();
    for (const tool of profile.toolRegistry.list())
      profile.toolRegistry.register({
        ...tool,
        executor: async (args, _env, context) => {
          check(tool.definition.name, args, context?.toolCallId ?? '');
          return 'noted';
        },
      });
    let next: ReadonlyArray<SmallCall> = [];
    let count = 0;
    const client = createScriptedClient((): Reply => {
      if (next.length === 0) return { text: 'done' };
      const calls = next.map(({ toolName, args }) => ({ id: `c${(count += 1)}`, name: toolName, args }));
      next = [];
      return { calls };
    });
    const session = createSession({
      client,
      profile,
      environment: createMemoryEnvironment(),
      journal: createMemoryJournal(),
      config: { model: 'scripted', provider: 'scripted', loopDetectionWindow: 0 },
      policy,
      approve,
    });
    return async (calls: ReadonlyArray<SmallCall>): Promise<void> => {
      next = calls;
      await session.submit('go');
      if (session.error() !== null) throw session.error() ?? new Error('unknown');
    };
  };
  const opened = new Map<'parent' | 'child', ReturnType<typeof open>>();
  const sessionOf = (who: 'parent' | 'child'): ReturnType<typeof open> => {
    const rights = childMode === null ? {} : { mode: childMode };
    const session = opened.get(who) ?? open(who === 'parent' ? live : live.childOf(rights));
    opened.set(who, session);
    return session;
  };
  return {
    problems,
    ran,
    take: async (one: Step): Promise<void> => {
      if ('change' in one) {
        state = apply(state, live, one.change);
        return;
      }
      byPerson.clear();
      current = one;
      const before = state;
      const count = ran.length;
      await sessionOf(one.by)(one.calls);
      // What is allowed does run: a policy that denies everything would not do.
      const [only] = one.calls;
      if (
        one.calls.length === 1 &&
        only !== undefined &&
        before === state &&
        childMode === null &&
        judgeByHand(only, before) === 'allow'
      )
        if (ran.length !== count + 1)
          problems.push(`did not run what is allowed: ${JSON.stringify(only.args)} in ${JSON.stringify(before)}`);
    },
  };
}

describe('approval integrity', () => {
  it('no tool runs whose exact content neither a rule nor a person allowed; a child does nothing its parent may not', async () => {
    let executed = 0;
    await fc.assert(
      fc.asyncProperty(fc.option(mode), fc.array(step, { minLength: 1, maxLength: 12 }), async (childMode, steps) => {
        const world = makeWorld(childMode);
        for (const one of steps) await world.take(one);
        executed += world.ran.length;
        expect(world.problems).toEqual([]);
      }),
      { numRuns: runs(12, 10_000) },
    );
    expect(executed).toBeGreaterThan(runs(10, 40));
  });

  it('T10: whatever a child is given, it is never judged milder than its parent, then and after every change', async () => {
    const strength: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };
    const rights = fc.record({
      mode: fc.option(mode, { nil: undefined }),
      rules: fc.array(rule, { maxLength: 3 }),
      tools: fc.option(fc.subarray(['Bash', 'Edit', 'Read']), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(
        mode,
        fc.array(rule, { maxLength: 4 }),
        fc.tuple(rights, rights, fc.array(change, { maxLength: 3 })),
        async (first, rules, [own, grand, changes]) => {
          const parent = livePolicy(
            createPolicy({ rules: rules.map(ruleOf), mode: first, root: ROOT, home: '/home/me', sandboxed: true }),
          );
          const given = ({ mode: held, rules: more, tools }: typeof own) => ({
            rules: more.map(ruleOf),
            ...defined({ mode: held, tools }),
          });
          const child = parent.childOf(given(own));
          const grandchild = child.childOf(given(grand));
          for (const wanted of [null, ...changes]) {
            if (wanted !== null && 'mode' in wanted) parent.setMode(wanted.mode);
            if (wanted !== null && 'rule' in wanted) child.addRules([ruleOf(wanted.rule)]);
            for (const one of CALLS) {
              const [above, middle, below] = await Promise.all(
                [parent, child, grandchild].map(async (policy) => (await policy.current().judge(one)).decision),
              );
              expect(strength[middle ?? 'allow']).toBeGreaterThanOrEqual(strength[above ?? 'deny']);
              expect(strength[below ?? 'allow']).toBeGreaterThanOrEqual(strength[middle ?? 'deny']);
              const hidden = [parent, child, grandchild].map((policy) => policy.current().hides(one.toolName));
              if (hidden[0] === true || hidden[1] === true) expect(hidden[2]).toBe(true);
            }
          }
        },
      ),
      { numRuns: runs(7, 3_000) },
    );
  });

  it('the policy and the judgement by hand agree on every call under pairs of rules in every mode', async () => {
    const stride = runs(25, 1);
    let pair = 0;
    const names = Object.keys(RULES);
    const behaviors: ReadonlyArray<Decision> = ['allow', 'ask', 'deny'];
    const all = names.flatMap((text) => behaviors.map((behavior) => ({ behavior, text, forSession: false })));
    const wrong: string[] = [];
    for (const held of MODES)
      for (const [index, one] of all.entries())
        for (const other of all.slice(index)) {
          if ((pair += 1) % stride !== 0) continue;
          const state: SmallState = { mode: held, rules: [one, other] };
          const policy = createPolicy({
            rules: state.rules.map(ruleOf),
            mode: held,
            root: ROOT,
            home: '/home/me',
            sandboxed: true,
          });
          for (const each of CALLS) {
            const { decision } = await policy.judge(each);
            if (decision !== judgeByHand(each, state))
              wrong.push(`${JSON.stringify(each.args)} ${decision} ${JSON.stringify(state)}`);
          }
        }
    expect(wrong).toEqual([]);
  });
});
