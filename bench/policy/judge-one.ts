/** A process that judges one command, or with `none` only could; prints its memory. */
import { loadShellPolicy } from '@attractor/agent';

if (process.argv[2] !== 'none') {
  const { readShell } = await loadShellPolicy();
  readShell('git log --oneline | head -5', { cwd: '/home/me/project', root: '/home/me/project', home: '/home/me' });
}
console.log(process.memoryUsage.rss());
