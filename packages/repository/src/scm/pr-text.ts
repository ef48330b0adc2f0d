import {
  type AgentRun,
  type Criterion,
  criterionLine,
  deviationLine,
  isMet,
  type JudgedPlan,
  type Task,
} from '@attractor/store';
import type { Commit } from '../git/commits-in-files.ts';

export type PrFacts = {
  readonly task: Pick<Task, 'title' | 'description' | 'plan' | 'sourceUrl'>;
  readonly commits: ReadonlyArray<Commit>;
  readonly checks: AgentRun['checks'];
  readonly criteria?: ReadonlyArray<Pick<Criterion, 'number' | 'text' | 'state' | 'detail'>>;
  /** How the work compares with its plan; null: it has none, or was not held against it. */
  readonly judged?: JudgedPlan | null;
  readonly template?: string | undefined;
};

/** GitHub takes 65,536 characters. */
const MAX_BODY = 60_000;
const MAX_COMMITS = 100;

const DEFAULT_TEMPLATE =
  '{description}\n\n{source}\n\n## Plan\n\n{plan}\n\n## Done\n\n{done}\n\n## Not done\n\n{open}\n\n## Not as planned\n\n{deviations}\n\n## Commits\n\n{commits}\n\n## Checks\n\n{checks}\n\n## Criteria\n\n{criteria}\n';

/** The text of a pull request. Unless the project has its own template, a section without content is left out. */
export function pullRequestText(facts: PrFacts): string {
  const values = fill(facts);
  const template = facts.template ?? withoutEmptySections(DEFAULT_TEMPLATE, values);
  const text = template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  return text
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, MAX_BODY);
}

function fill({ task, commits, checks, criteria = [], judged = null }: PrFacts): Record<string, string> {
  const { items = [], deviations = [] } = judged ?? {};
  return {
    done: items.filter(isMet).map(criterionLine).join('\n'),
    open: items
      .filter((one) => !isMet(one))
      .map(criterionLine)
      .join('\n'),
    deviations: deviations.map((one) => `- ${deviationLine(one)}`).join('\n'),
    title: task.title,
    description: task.description.trim(),
    plan: task.plan?.trim() ?? '',
    source: task.sourceUrl === null ? '' : `Source: ${task.sourceUrl}`,
    commits: commits
      .slice(-MAX_COMMITS)
      .map(({ hash, message }) => `- ${hash.slice(0, 12)} ${message}`)
      .join('\n'),
    criteria: criteria.map((one) => criterionLine(one)).join('\n'),
    checks: checks
      .filter(({ phase }) => phase === 'branch')
      .map(({ name, passed, commit }) => `- ${passed ? 'passed' : 'failed'}: ${name} on ${commit.slice(0, 12)}`)
      .join('\n'),
  };
}

function withoutEmptySections(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/## [\w ]+\n\n\{(\w+)\}\n*/g, (section, name: string) =>
    values[name] === '' ? '' : section,
  );
}
