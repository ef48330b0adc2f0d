import { openRoutes } from '@attractor/api';
import type { Context, Hono } from 'hono';
import { refusal } from './answer.ts';
import type { Challenge } from './auth.ts';
import type { Env, Services } from './context.ts';
import { type AllowedCallers, isOwnAddress } from './request-checks.ts';

/** Whether the process answers, and whether it can serve. Both say nothing else to whoever asks. */
export function serveHealth(app: Hono<Env>, services: Services, callers: AllowedCallers): void {
  const { health, ready } = openRoutes();
  app.on(health.method, health.path, (context) => context.json(healthOf(services, challengeIn(context, callers))));
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

function healthOf({ access }: Services, challenge: Challenge | null): object {
  const wanted = challenge !== null && /^[\w-]{16,100}$/.test(challenge.text);
  return wanted ? { ok: true, proof: access.prove(challenge) } : { ok: true };
}

async function canRead({ workflow }: Services): Promise<boolean> {
  return workflow.lastSeq().then(
    () => true,
    () => false,
  );
}
