import { bytesText } from '@attractor/console';
import { facts, table } from '@attractor/console/lines';
import { oneVerb } from '../verbs/noun.ts';
import { verb } from '../verbs/verb.ts';

const SHOW_DISK = verb({
  name: 'disk',
  summary: 'show what takes up disk space on this machine',
  examples: ['disk', 'disk --json'],
  call: ({ client }) => client.health.disk(),
  ids: ({ worktrees }) => worktrees.map(({ path }) => path),
  show: ({ totalBytes, maxBytes, freeBytes, homeBytes, worktrees }, { style }) => [
    ...facts(
      [
        ['used', bytesText(totalBytes)],
        ['at most', maxBytes === null ? 'no bound' : bytesText(maxBytes)],
        ['free', bytesText(freeBytes)],
        ['home', bytesText(homeBytes)],
      ],
      style,
    ),
    '',
    ...table(worktrees, {
      style,
      none: 'No worktrees.',
      columns: [
        { head: 'SIZE', cell: ({ bytes }) => bytesText(bytes) },
        { head: 'TASK', cell: ({ taskId }) => taskId },
        { head: 'PATH', cell: ({ path }) => path },
      ],
    }),
  ],
});

export const define = oneVerb(SHOW_DISK);
