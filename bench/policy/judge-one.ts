/** A process that judges one command, or with `none` only loads what it would need; prints its memory. */

if (process.argv[2] !== 'none') {
  const { readShell } = await import('@attractor/shell');
  readShell('git log --oneline | head -5', { cwd: '/home/me/project', root: '/home/me/project', home: '/home/me' });
}
console.log(process.memoryUsage.rss());
