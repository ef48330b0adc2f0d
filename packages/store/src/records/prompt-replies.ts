import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Prompt } from '../types/index.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';

/** What a reply token allows: answering this prompt, as it was shown. */
export type PromptReply = { readonly promptId: string; readonly contentHash: string; readonly channel: string };

/** A new token of 256 random bits. Only its hash is stored; it is worthless once the prompt is answered. */
export async function mintReply(tx: Tx, prompt: Prompt, channel: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await tx
    .insertInto('prompt_replies')
    .values({
      token_hash: hashOf(token).toString('hex'),
      prompt_id: prompt.id,
      task_id: prompt.taskId,
      content_hash: prompt.contentHash,
      channel,
      created_at: transactionTime(tx),
    })
    .execute();
  return token;
}

/** Compares digests in constant time: the time reveals neither where they differ nor how many there are. */
export async function findReply(db: Reader, promptId: string, token: string): Promise<PromptReply | null> {
  const rows = await db.selectFrom('prompt_replies').selectAll().where('prompt_id', '=', promptId).execute();
  const wanted = hashOf(token);
  const row = rows.findLast((candidate) => timingSafeEqual(Buffer.from(candidate.token_hash, 'hex'), wanted));
  if (row === undefined) return null;
  return { promptId: row.prompt_id, contentHash: row.content_hash, channel: row.channel };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
