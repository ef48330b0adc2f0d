import { chmod, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Failure, messageOf, type Result } from '@attractor/base';
import { newSecret } from './secret.ts';

export type TokenResult = Result<string, Failure<'database'>>;

/**
 * The access token of a home folder, made on first use; only its owner can read it. It survives restarts, so that sessions and scripts keep
 * working; deleting the file signs everybody out.
 */
export async function readOrMakeToken(home: string): Promise<TokenResult> {
  const file = join(home, 'token');
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    const token = (await readToken(file)) ?? (await makeToken(file)) ?? (await readToken(file));
    if (token !== null && token.length >= 32) return { ok: true, value: token };
    return failed(`${file} holds no access token. Delete it to have a new one made.`);
  } catch (error) {
    const reason = messageOf(error);
    return failed(`${home} can't be written to (${reason}). Set ATTRACTOR_HOME to a folder you can write to.`);
  }
}

function failed(message: string): TokenResult {
  return { ok: false, error: { code: 'database', message, retryable: false } };
}

async function readToken(file: string): Promise<string | null> {
  try {
    const token = (await readFile(file, 'utf8')).trim();
    await chmod(file, 0o600);
    return token;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Null if another process made it at the same moment. */
async function makeToken(file: string): Promise<string | null> {
  const token = newSecret();
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(`${token}\n`);
    await handle.sync();
    await handle.close();
    return token;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return null;
    throw error;
  }
}
