import type { CheckResult, RunCheck } from '@attractor/api';
import { EXIT, readableText } from '@attractor/console';
import { durationText, table } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { type Call, type Verb, verb } from '../verbs/verb.ts';

const CHECK_VERBS: ReadonlyArray<Verb> = [
  verb({
    name: 'run',
    summary: 'run the trusted checks of the project on the work of a task, now',
    arguments: [{ name: '<task>', about: "the task's key or id" }],
    notes: 'Exit code 1 if one of severity error fails. Needs a running server: checks run where agents run.',
    examples: ['checks run ATT-12', 'checks run ATT-12 --json'],
    busy: ({ arg, given }) => ({ doing: `checking ${given(0)}`, of: { taskId: arg(0) } }),
    call: ({ client, arg }) => client.checks.run(arg(0)),
    ids: (checks) => checks.map(({ name, passed }) => `${name} ${passed ? 'passed' : 'failed'}`),
    show: (checks, { style }) => checkTable(checks, style),
    exit: (checks) =>
      checks.some(({ passed, severity }) => !passed && severity === 'error') ? EXIT.failed : EXIT.done,
  }),
  verb({
    name: 'list',
    summary: 'list the results of the checks of a task or a run',
    arguments: [{ name: '<id>', about: 'the key or id of a task or of a run' }],
    flags: [{ flag: '--output', about: 'with what each failed check printed' }],
    examples: ['checks list ATT-12', 'checks list ATT-12.3 --output', 'checks list ATT-12 --json'],
    call: ({ client, arg }) => (arg(0).startsWith('run_') ? client.checks.ofRun(arg(0)) : client.checks.ofTask(arg(0))),
    ids: (checks) => checks.map(({ name, passed }) => `${name} ${passed ? 'passed' : 'failed'}`),
    show: (checks, call) => [...checkTable(checks, call.style), ...outputs(checks, call)],
  }),
];

type ShownCheck = CheckResult & { readonly runId?: string };

/** A shell's exit code for a missing command. */
const NOT_FOUND = 127;

function checkTable(checks: ReadonlyArray<ShownCheck>, style: Call['style']): ReadonlyArray<string> {
  return table(checks, {
    style,
    none: 'No check has run. Those of a repository run once it is trusted: attractor trust show',
    columns: [
      { head: 'CHECK', cell: ({ name }) => name },
      {
        head: 'RESULT',
        cell: ({ passed, exitCode }) => (passed ? 'passes' : `fails (${endOf(exitCode)})`),
        paint: (text, { passed }) => (passed ? style.good(text) : style.bad(text)),
      },
      { head: 'ON', cell: ({ phase, commit }) => `${phase} ${commit.slice(0, 8)}` },
      { head: 'SEVERITY', cell: ({ severity }) => severity },
      { head: 'TIME', cell: ({ durationMs }) => durationText(durationMs) },
      { head: 'RUN', cell: ({ runId }) => runId ?? '' },
      { head: 'COMMAND', cell: ({ command }) => command },
    ],
  });
}

function endOf(exitCode: number | null): string {
  if (exitCode === null) return 'did not end by itself';
  return `exit ${exitCode}${exitCode === NOT_FOUND ? ', no such command' : ''}`;
}

function outputs(checks: ReadonlyArray<RunCheck>, { flags, style }: Call): ReadonlyArray<string> {
  if (!flags.has('output')) return [];
  return checks
    .filter(({ passed }) => !passed)
    .flatMap(({ name, runId, output }) => [
      '',
      style.bold(style.named(`${name} (${runId})`)),
      ...(output.trim() === '' ? ['(it printed nothing)'] : readableText(output).split('\n')),
    ]);
}

export const define = noun({
  description: "Results of a project's checks, each for the commit that it ran on.",
  verbs: CHECK_VERBS,
});
