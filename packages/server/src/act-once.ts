import { createHash } from 'node:crypto';
import { AGAIN_HEADER, failure, ONCE_HEADER, type Route } from '@attractor/api';
import type { Result } from '@attractor/platform';
import type { Context } from 'hono';
import { answer, refuse } from './answer.ts';
import type { Env, Services } from './context.ts';

/** Carries out a call. A POST with an idempotency key is carried out once for that key. */
export async function actOnce(
  context: Context<Env>,
  { workflow }: Services,
  { route, act }: { readonly route: Route; readonly act: () => Promise<Result<unknown>> },
): Promise<Response> {
  const key = route.method === 'POST' ? context.req.header(ONCE_HEADER) : undefined;
  if (key === undefined) return answer(context, await act(), route.statuses);
  if (!/^[!-~]{1,255}$/.test(key))
    return refuse(
      context,
      failure('bad_request', 'Idempotency-Key: expected 1 to 255 printable characters without spaces.'),
    );
  const { actor, caller } = context.var;
  const call = {
    caller: [actor.type, caller.userId ?? actor.name ?? '', ...(actor.apiKey === undefined ? [] : [actor.apiKey])].join(
      ':',
    ),
    key,
    hash: await hashOf(context),
    fits: (value: unknown) => route.answers().safeParse(value).success,
    isSecret: route.isSecret === true,
  };
  const result = await workflow.callOnce(call, act);
  if (result.again === true) context.header(AGAIN_HEADER, 'true');
  return answer(context, result, route.statuses);
}

/** Of everything that the call says. */
async function hashOf({ req }: Context<Env>): Promise<string> {
  const { pathname, search } = new URL(req.url);
  const hash = createHash('sha256').update(`${req.method} ${pathname}${search}\n`);
  return hash.update(new Uint8Array(await req.arrayBuffer())).digest('hex');
}
