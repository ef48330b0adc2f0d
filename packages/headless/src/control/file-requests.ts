import path from 'node:path';
import type { Answer } from './controlled.ts';

const MOST_BYTES = 1_000_000;

/** A file that the model may read without asking. */
export const readFileFor: Answer = async ({ session }, { path: file, max_bytes: most, encoding }) => {
  if (typeof file !== 'string' || file === '') return { error: 'read_file needs a path.' };
  const bytes = await session.readFile(file);
  if (bytes === null) return { error: `${file} is not there, or may not be read without asking.` };
  const limit = typeof most === 'number' && most >= 0 ? most : MOST_BYTES;
  const shown = Buffer.from(bytes.subarray(0, limit));
  const about = { absPath: path.resolve(session.folder, file), ...(bytes.length > limit ? { truncated: true } : {}) };
  if (encoding === 'base64') return { response: { contents: shown.toString('base64'), ...about, encoding } };
  const contents = shown.toString('utf8');
  return { response: { contents, ...about, lossy: !Buffer.from(contents).equals(shown) } };
};

/** What the other program saw the model read: the model may edit it without reading it again. */
export const seedReadState: Answer = async ({ session }, { path: file, mtime }) => {
  if (typeof file !== 'string' || typeof mtime !== 'number')
    return { error: 'seed_read_state needs a path and an mtime.' };
  await session.countAsRead(file, mtime);
  return { response: {} };
};

export const readServerResource: Answer = async ({ session }, { serverName, uri }) => {
  if (typeof uri !== 'string' || !uri.startsWith('ui://'))
    return { error: 'mcp_read_resource reads ui:// resources: others are named in a prompt, @server:uri.' };
  const read = await session.readResource(String(serverName), uri);
  return read.ok ? { response: { contents: read.value } } : { error: read.error.message };
};

/** Commands and agents that the model waits for go on in the background. */
export const leaveTasks: Answer = ({ session }, { tool_use_id: id }) => {
  const count = session.leaveCalls(typeof id === 'string' ? id : undefined);
  return { response: { backgrounded: typeof id !== 'string' || count > 0 } };
};
