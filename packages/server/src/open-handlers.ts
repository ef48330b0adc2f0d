import { openRoutes } from '@attractor/api';
import type { Context, Hono } from 'hono';
import { refusal } from './answer.ts';
import { type Challenge, proofOf } from './auth.ts';
import type { Env, Services } from './context.ts';
import { type AllowedCallers, isOwnAddress } from './request-checks.ts';

/** Whether the process answers, and whether it can serve. Both say nothing else to whoever asks. */
export function serveHealth(app: Hono<Env>, services: Services, callers: AllowedCallers): void {
  const { health, ready } = openRoutes();
  app.on(health.method, health.path, async (context) =>
    context.json(await healthOf(services, challengeIn(context, callers), context.req.query('key'))),
  );
  app.on(ready.method, ready.path, async (context) => {
    const isReady = !services.streams.isClosed() && (await canRead(services));
    return isReady ? context.json({ ok: true }) : refusal(context, 'unavailable', 'Not ready.');
  });
}

function challengeIn(context: Context<Env>, callers: AllowedCallers): Challenge | null {
  const { challenge: text, at } = context.req.query();
  const isHere = at !== undefined && isOwnAddress(at, callers, context.env?.incoming?.socket.localPort);
  return isHere && text !== undefined ? { text, at } : null;
}

/** Whoever means to send the token, or an API key, learns first that the server knows it. */
async function healthOf({ access, workflow }: Services, challenge: Challenge | null, key?: string): Promise<object> {
  if (challenge === null || !/^[\w-]{16,100}$/.test(challenge.text)) return { ok: true };
  if (key === undefined) return { ok: true, proof: access.prove(challenge) };
  const hash = /^[\w-]{1,40}$/.test(key) ? await workflow.keyHash(key) : null;
  return hash === null ? { ok: true } : { ok: true, proof: proofOf(hash, challenge) };
}

async function canRead({ workflow }: Services): Promise<boolean> {
  return workflow.lastSeq().then(
    () => true,
    () => false,
  );
}
