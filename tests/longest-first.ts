import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take long although many of them are small, the longest first. Started late, one of them alone would hold up the end of the
 * run, with the other cores idle. The report at the end of `npm test` names the longest.
 */
export const LONG_FILES: ReadonlyArray<string> = [
  'tests/walks/demo.test.ts',
  'packages/platform/src/queue/postgres-queue.test.ts',
  'packages/repository/src/scm/local.test.ts',
  'tests/walks/opens-what-0.1.0-made.test.ts',
  'packages/platform/src/workflow/scm/kill.test.ts',
  'packages/platform/src/run/crash.test.ts',
  'packages/repository/src/landing/land.property.test.ts',
  'tests/walks/platform-story-commands.test.ts',
  'packages/platform/src/workflow/pipelines/walks.test.ts',
  'packages/platform/src/workflow/scm/landing.test.ts',
  'tests/walks/mcp.test.ts',
  'packages/platform/src/attempts/attempts.test.ts',
  'tests/walks/hostile-repositories.test.ts',
  'packages/server/src/next-steps.property.test.ts',
  'packages/platform/src/workflow/scm/outbox.test.ts',
  'packages/platform/src/workflow/pipelines/walks-loop.test.ts',
  'packages/platform/src/workflow/spend/spend-stores.test.ts',
  'tests/walks/safety.test.ts',
  'tests/walks/worker.test.ts',
  'packages/platform/src/queue/local-queue.test.ts',
  'tests/walks/browser.test.ts',
  'tests/walks/exec-mcp.test.ts',
  'scripts/fast-start/built-both-ways.test.ts',
  'scripts/fast-start/both-ways.test.ts',
  'packages/repository/src/outbox/outbox-databases.test.ts',
  'packages/platform/src/workflow/postgres-workflow.test.ts',
  'packages/agent/src/sandbox/same-as-outside.test.ts',
  'packages/executor/src/providers/claude-code.test.ts',
  'packages/shell/src/generated.test.ts',
  'packages/llm/src/history/valid-history.property.test.ts',
  'packages/agent/src/compaction/killed.test.ts',
  'scripts/smoke.test.mjs',
];

/** The files above come first; the others follow in Vitest's order: what took longest the last time, or the largest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await BaseSequencer.prototype.sort.call(this, files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG_FILES.findIndex((file) => moduleId.endsWith(`/${file}`));
      return at === -1 ? LONG_FILES.length : at;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
