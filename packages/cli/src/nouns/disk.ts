import { facts, table } from '../verbs/layout.ts';
import { oneVerb } from '../verbs/noun.ts';
import { verb } from '../verbs/verb.ts';

const SHOW_DISK = verb({
  name: 'disk',
  summary: 'show what takes room on this machine',
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

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

function bytesText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power] ?? ''}`;
}

export const define = oneVerb(SHOW_DISK);
