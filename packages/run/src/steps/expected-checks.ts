import { fenced } from '@attractor/pipeline';
import { followedConfig, type ProjectConfig } from '@attractor/project-config';
import type { CheckResult } from '@attractor/store';
import { eventOf, resultOf, type RunContext, type StepOutcome, type StepResults } from '../run-context/run-context.ts';
import { judgeEnd } from './05-monitor.ts';
import { agentOf } from './agent-of-run.ts';
import { blocking, checkWork } from './check-work.ts';
import { commitLeftovers } from './commit-leftovers.ts';
import { exchangeWithAgent } from './exchange.ts';

type Validated = StepResults['validate'];

/** What the project's tests have to do after this run: `red`, fail for lack of the work; `green`, pass. Null: nothing of their own. */
export function expectationOf({ request }: RunContext): 'red' | 'green' | null {
  const { expect } = request.hookParams;
  return expect === 'red' || expect === 'green' ? expect : null;
}

/** Tests that were written before the work have to fail. Whoever wrote some that pass gets one turn to write others. */
export async function judgeRed(context: RunContext, valid: Validated): Promise<StepOutcome<Validated>> {
  const config = followedConfig(context.project.path, context.services);
  if (!config.ok) return { failure: { code: 'environment', message: config.error.message } };
  const first = await look(context, { config: config.value, head: valid.head, round: '0' });
  if (first.problem === null) return { result: { ...valid, ...first.scan }, run: { checks: first.checks } };
  const agent = first.canMend ? await agentOf(context) : null;
  if (agent?.say === undefined) return notRed(context, { valid, ...first, problem: first.problem });
  const talk = await exchangeWithAgent(context, {
    inputKey: 'repair:checks',
    maxToolRounds: 20,
    prompt: `${first.problem} Write tests that fail because the work is missing, then report the outcome again. You have this one turn.\n\n${outputs(first.checks)}`,
  });
  const { tokenUsage } = talk.result;
  const failure = judgeEnd(talk);
  if (failure !== null) return { failure, run: { checks: first.checks, tokenUsage } };
  const committed = await commitLeftovers(context, context.task.title);
  if (!committed.ok)
    return {
      failure: { code: 'environment', message: `The tests could not be committed: ${committed.error.message}` },
    };
  const second = await look(context, { config: config.value, head: committed.value, round: '1' });
  const after = {
    ...valid,
    head: committed.value,
    talk: { ...valid.talk, result: { ...valid.talk.result, tokenUsage } },
  };
  if (second.problem !== null) return notRed(context, { valid: after, ...second, problem: second.problem });
  return { result: { ...after, ...second.scan }, run: { checks: second.checks, tokenUsage } };
}

/** Also where the tests failed before the work: here it is about them. */
export function expectGreen(judged: StepOutcome<Validated>): StepOutcome<Validated> {
  if (judged.result === undefined || judged.result.outcome !== 'pr_ready') return judged;
  const tests = testsAmong(judged.run?.checks ?? []);
  const failing = tests.filter(({ passed }) => !passed).map(({ name }) => name);
  if (tests.length > 0 && failing.length === 0) return judged;
  const message = tests.length === 0 ? NO_TESTS : `The tests do not pass yet: ${failing.join(', ')}`;
  const { result: _result, ...rest } = judged;
  return { ...rest, failure: { code: 'checks_failed', message } };
}

type Looking = { readonly config: ProjectConfig; readonly head: string; readonly round: '0' | '1' };
type Seen = {
  readonly checks: ReadonlyArray<CheckResult>;
  readonly scan: Pick<Validated, 'scan'>;
  readonly problem: string | null;
  /** Whether other tests would help. */
  readonly canMend: boolean;
};

async function look(context: RunContext, { config, head, round }: Looking): Promise<Seen> {
  const { results, ...scan } = await checkWork(context, config, { head, round });
  const tests = testsAmong(results);
  const isRed = tests.some(({ passed, known }) => !passed && known !== true);
  const secrets = blocking(results, config).filter(({ name }) => name === 'no-secrets');
  const marked = results.map((one) => (tests.includes(one) && !one.passed ? { ...one, expected: true as const } : one));
  return {
    checks: [...resultOf(context, 'prepare').baseChecks, ...marked],
    scan,
    problem:
      tests.length === 0 ? NO_TESTS : secrets.length > 0 ? 'There are secrets in the tests.' : isRed ? null : PASSING,
    canMend: tests.length > 0,
  };
}

const NO_TESTS =
  'No check of the project runs its tests, so nobody can see them fail or pass: give it a check named "test" (docs/projects.md), or use another pipeline.';
const PASSING = 'The tests pass although nothing of the work is done: they do not test it.';

/** By their names; where no name tells, every check may be one. */
function testsAmong(checks: ReadonlyArray<CheckResult>): ReadonlyArray<CheckResult> {
  const own = checks.filter(({ phase, name }) => phase === 'branch' && name !== 'no-secrets');
  const named = own.filter(({ name }) => /test|spec/i.test(name));
  return named.length > 0 ? named : own;
}

function outputs(checks: ReadonlyArray<CheckResult>): string {
  return testsAmong(checks)
    .map(({ name, command, output }) => `## ${name}\n\`${command}\` passed:\n\n${fenced(output)}`)
    .join('\n\n');
}

type NotRed = { readonly valid: Validated; readonly checks: ReadonlyArray<CheckResult>; readonly problem: string };

function notRed(context: RunContext, { valid, checks, problem }: NotRed): StepOutcome<Validated> {
  return {
    failure: { code: 'checks_failed', message: problem },
    run: { checks, tokenUsage: valid.talk.result.tokenUsage },
    events: [
      eventOf(context, {
        type: 'agent.checks_failed',
        level: 'error',
        summary: problem,
        data: { originalOutcome: valid.outcome, checks },
      }),
    ],
  };
}
