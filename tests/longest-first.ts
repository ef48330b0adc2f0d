import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take long although many of them are small, the longest first. Started late, one of them alone would hold up the end of the
 * run, with the other cores idle. The report at the end of `npm test` names the longest.
 */
export const LONG_FILES: ReadonlyArray<string> = [
  'packages/server/src/browser-places.test.ts',
  'packages/server/src/browser-people.test.ts',
  'tests/walks/foreign-agents.test.ts',
  'packages/adapters/src/foreign-agents.test.ts',
  'packages/platform/src/workflow/pipelines/walks.test.ts',
  'tests/walks/twenty-tasks.test.ts',
  'tests/walks/hostile-repositories.test.ts',
  'packages/platform/src/workflow/scm/landing.test.ts',
  'packages/platform/src/run/steps.test.ts',
  'packages/server/src/browser.test.ts',
  'packages/platform/src/workflow/scm/outbox.test.ts',
  'tests/walks/platform-story-commands.test.ts',
  'packages/platform/src/run/nothing-twice-often.test.ts',
  'packages/platform/src/run/nothing-twice.test.ts',
  'packages/platform/src/workflow/spend/spend-stores.test.ts',
  'tests/walks/safety.test.ts',
  'packages/platform/src/queue/postgres-queue.test.ts',
  'packages/agent/src/execution/shell-commands.test.ts',
  'tests/walks/mcp.test.ts',
  'tests/house/house.test.ts',
  'tests/walks/install.test.ts',
  'packages/platform/src/run/prepare.test.ts',
  'packages/store/src/database/postgres-store.test.ts',
  'tests/walks/run.test.ts',
  'packages/platform/src/run/crash.test.ts',
  'packages/store/src/database/move.test.ts',
  'packages/repository/src/landing/land.property.test.ts',
  'packages/repository/src/worktrees/damaged.test.ts',
  'packages/cli/src/every-command.test.ts',
  'packages/platform/src/workflow/pipelines/coding-variants.test.ts',
  'scripts/fast-start/built-both-ways.test.ts',
  'scripts/fast-start/both-ways.test.ts',
  'tests/walks/headless-endings.test.ts',
  'tests/walks/exec-claude.test.ts',
  'packages/cli/src/run-bundle/run-bundle.test.ts',
  'packages/platform/src/run/attempts.test.ts',
  'packages/agent/src/sandbox/probes.test.ts',
  'tests/walks/platform-story.test.ts',
  'tests/walks/coding-workers.test.ts',
  'tests/walks/exec.test.ts',
  'tests/walks/new-tool.test.ts',
  'tests/walks/agent-sdk.test.ts',
  'packages/agent/src/session/resume.test.ts',
  'packages/repository/src/worktrees/worktree.test.ts',
  'tests/walks/tool.test.ts',
  'tests/walks/browser.test.ts',
  'packages/adapters/src/cli.test.ts',
  'packages/platform/src/run/criteria.test.ts',
  'packages/agent/src/sandbox/obeyed-files.test.ts',
  'packages/platform/src/run/crash-stop.test.ts',
  'packages/platform/src/workflow/scm/kill.test.ts',
  'packages/agent/src/execution/change-files.test.ts',
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
