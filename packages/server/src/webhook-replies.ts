import { defined } from '@attractor/base';
import { answerBody, openRoutes } from '@attractor/api';
import type { Hono } from 'hono';
import { refusal, refuse } from './answer.ts';
import { checkBody } from './request-checks.ts';
import type { Env, Services } from './context.ts';
import { decodeBody } from './decode.ts';
import { failedSignIn } from './gate.ts';

/**
 * The only route that needs no access token: a reply token, which a webhook got with the question, lets its holder answer exactly that
 * question and nothing else. It comes before the gate, and reveals only whether the answer was accepted. Messages of earlier versions carried
 * the token in the address, and can still be answered.
 */
export function serveWebhookReplies(app: Hono<Env>, services: Services): void {
  const { method, path } = openRoutes().reply;
  app.on(method, path, checkBody(), async (context) => {
    const bearer = /^Bearer (.+)$/.exec(context.req.header('authorization') ?? '')?.[1];
    const token = bearer ?? context.req.query('token') ?? '';
    if (token === '') return failedSignIn(context, services);
    const body = await decodeBody(context, answerBody);
    if (!body.ok) return refuse(context, body.error);
    const { decision, message, answers, plan, input, remember } = body.value.answer;
    if (plan !== undefined || input !== undefined || remember !== undefined)
      return refusal(
        context,
        'forbidden',
        'A reply may decide, carry a message and answer questions. Open the app for more.',
      );
    const replied = await services.workflow.replyToPrompt({
      promptId: context.req.param('id') ?? '',
      token,
      answer: {
        decision,
        ...defined({ message, answers }),
      },
    });
    if (replied.ok) return context.json({ status: replied.value.status, decision });
    if (replied.error.code === 'unavailable') return failedSignIn(context, services);
    return refusal(context, replied.error.code, replied.error.message);
  });
}
