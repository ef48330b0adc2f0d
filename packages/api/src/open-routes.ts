import { once } from '@attractor/base';
import { z } from 'zod';
import { answerBody } from './prompts.ts';
import { httpRoute } from './route.ts';

/** `challenge` and `at`: a program asks whether this is the server that it knows, before it sends its token. */
const healthQuery = /* @__PURE__ */ once(() =>
  z.object({
    challenge: z.string().exactOptional(),
    at: z.string().exactOptional(),
    /** The prefix of the API key that it would send instead. */
    key: z.string().exactOptional(),
  }),
);

const healthAnswer = /* @__PURE__ */ once(() =>
  z.strictObject({ ok: z.literal(true), proof: z.string().exactOptional() }).meta({ id: 'Alive' }),
);

const readyAnswer = /* @__PURE__ */ once(() => z.strictObject({ ok: z.literal(true) }).meta({ id: 'Ready' }));

/** `oidc`: what the issuer is called. Null: there is none. */
const signInWaysAnswer = /* @__PURE__ */ once(() =>
  z.strictObject({ oidc: z.string().nullable() }).meta({ id: 'SignInWays' }),
);

/** What the issuer adds to the address. */
const oidcQuery = /* @__PURE__ */ once(() =>
  z.object({
    code: z.string().exactOptional(),
    state: z.string().exactOptional(),
    error: z.string().exactOptional(),
  }),
);

const replyAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({ status: z.string(), decision: z.enum(['approve', 'reject', 'changes', 'answer']) })
    .meta({ id: 'AcceptedReply' }),
);

/** What needs no access token. Each has its own handler, and reveals nothing of what is stored. */
export const openRoutes = /* @__PURE__ */ once(() => ({
  health: httpRoute('GET /healthz', {
    about: 'say that the process answers',
    access: 'open',
    query: healthQuery,
    answers: healthAnswer,
  }),
  ready: httpRoute('GET /readyz', {
    about: 'say whether calls can be answered: the database can be read, and the server does not stop',
    access: 'open',
    answers: readyAnswer,
  }),
  signInWays: httpRoute('GET /api/sign-in-ways', {
    about: 'say how people can sign in here, besides with a key',
    access: 'open',
    answers: signInWaysAnswer,
  }),
  oidcSignIn: httpRoute('GET /api/oidc/sign-in', {
    about: 'lead a browser to the issuer that tells who somebody is, if the server has one',
    access: 'open',
    query: oidcQuery,
    answers: { mediaType: 'text/html', about: 'The address of the issuer.', status: 302 },
  }),
  oidcCallback: httpRoute('GET /api/oidc/callback', {
    about: 'take a browser back that was at the issuer, and sign it in',
    access: 'open',
    query: oidcQuery,
    answers: { mediaType: 'text/html', about: 'The address of the app, and a session.', status: 302 },
  }),
  reply: httpRoute('POST /api/prompts/:id/respond', {
    about: 'answer the one question that a reply token was made for',
    access: 'open',
    body: answerBody,
    answers: replyAnswer,
  }),
}));
