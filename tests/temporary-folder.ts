import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The run has its own temporary folder, which is removed with it, whatever a test or a killed process left there. Its name is short because
 * sockets are created below it, and everybody may enter it because PostgreSQL runs as another user.
 */
export function setup(): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'at-')));
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
