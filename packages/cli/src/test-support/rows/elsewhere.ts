/**
 * Commands whose JSON answer needs more than the world of these rows: an agent's work, a model, a session, a forge. Each names the test,
 * from the root of the repository, that checks that answer.
 */
export const ANSWERS_ELSEWHERE: Readonly<Record<string, string>> = {
  'sessions show': 'packages/cli/src/sessions/sessions.test.ts',
  'sessions fork': 'packages/cli/src/sessions/sessions.test.ts',
  'sessions rewind': 'packages/cli/src/sessions/sessions.test.ts',
  'sessions import': 'packages/cli/src/sessions/sessions.test.ts',
  'sessions delete': 'packages/cli/src/sessions/sessions.test.ts',
  'db migrate': 'packages/cli/src/db/db.test.ts',
  'db restore': 'packages/cli/src/db/db.test.ts',
  doctor: 'packages/cli/src/every-command.test.ts',
  exec: 'tests/walks/exec.test.ts',
  'tasks run': 'packages/cli/src/task-run/task-run.test.ts',
  'tasks branch': 'tests/walks/platform-story-commands.test.ts',
  'tasks diff': 'tests/walks/platform-story-commands.test.ts',
  'tasks merge': 'tests/walks/platform-story-commands.test.ts',
  'tasks approve': 'tests/walks/platform-story-commands.test.ts',
  'tasks resolve': 'tests/walks/platform-story-commands.test.ts',
  'tasks revert-merge': 'tests/walks/platform-story-commands.test.ts',
  'tasks push': 'packages/cli/src/follow/watch.test.ts',
  'tasks rebase': 'packages/cli/src/follow/watch.test.ts',
  'checks run': 'packages/cli/src/follow/watch.test.ts',
  'runs watch': 'packages/cli/src/follow/watch.test.ts',
  'inbox answer': 'packages/cli/src/nouns/inbox.test.ts',
  'prompts get': 'tests/walks/platform-story-commands.test.ts',
  'prompts answer': 'tests/walks/platform-story-commands.test.ts',
};
