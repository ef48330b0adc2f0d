import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord, messageOf } from '@attractor/base';
import { examineTrust, trustRepository, type TrustExamination } from '../trust/trust.ts';
import type { SessionSetup } from './session-setup.ts';

const FILE = '.claude/settings.local.json';

/**
 * Writes one setting into the repository's file for this person alone; null, or why it was not done. A repository that was trusted, or had
 * nothing to trust, stays so: nothing else of it may have changed.
 */
export async function writeLocalSetting(
  { home, root }: Pick<SessionSetup, 'home' | 'root'>,
  key: string,
  value: string,
): Promise<string | null> {
  const before = examineTrust(root, { home });
  if (before.state !== 'trusted' && before.files.length > 0)
    return `${FILE} would not be read: the repository is not trusted, see \`attractor trust show\`.`;
  const problem = write(path.join(root, FILE), key, value);
  if (problem !== null) return problem;
  const after = examineTrust(root, { home });
  if (othersOf(after) !== othersOf(before)) return 'the repository changed meanwhile: see `attractor trust show`.';
  const trusted = await trustRepository(after, { home });
  return trusted.ok ? null : trusted.error.message;
}

function write(file: string, key: string, value: string): string | null {
  try {
    const text = readText(file);
    const written: unknown = text === null ? {} : JSON.parse(text);
    if (!isRecord(written)) return `${file} holds no settings.`;
    mkdirSync(path.dirname(file), { recursive: true });
    if (realpathSync(path.dirname(file)) !== path.join(realpathSync(path.dirname(path.dirname(file))), '.claude'))
      return `${path.dirname(file)} leads elsewhere.`;
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify({ ...written, [key]: value }, null, 2)}\n`);
    renameSync(draft, file);
    return null;
  } catch (error) {
    return `${file} could not be written: ${messageOf(error)}`;
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isRecord(error) && error['code'] === 'ENOENT') return null;
    throw error;
  }
}

function othersOf({ files }: TrustExamination): string {
  return JSON.stringify(files.filter((file) => file.path !== FILE));
}
