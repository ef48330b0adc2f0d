import { done, once } from '@attractor/base';
import type { FoundId, IdKind, NamedId } from '@attractor/platform';
import { z } from 'zod';
import { list } from './answers/shape.ts';
import { found } from './found.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';
import { words } from './task-filters.ts';

const at = {
  find: 'GET /api/ids/:given',
  name: 'GET /api/ids',
} as const;

/** What it may be, separated by commas. */
const idQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    kinds: z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(z.enum(KINDS)).min(1)),
  }),
);

/** How many ids one call names. */
export const NAMED_AT_ONCE = 200;

/** Whole ids, separated by commas. */
const nameQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ of: words().pipe(z.array(z.string()).min(1).max(NAMED_AT_ONCE)) }),
);

/** The kinds of ids, with what people call them. */
export const ID_WORDS = {
  tsk: 'task',
  run: 'run',
  prm: 'question',
  prj: 'project',
  sch: 'schedule',
  tpl: 'template',
  bud: 'budget',
  art: 'artifact',
  att: 'attachment',
  atg: 'group of attempts',
  pha: 'phase',
} as const satisfies Readonly<Record<IdKind, string>>;

const KINDS = Object.keys(ID_WORDS) as ReadonlyArray<IdKind> as readonly [IdKind, ...IdKind[]];

const foundIdAnswer = /* @__PURE__ */ once(() =>
  z.strictObject({ kind: z.enum(KINDS), id: z.string(), key: z.string(), name: z.string() }).meta({ id: 'FoundId' }),
);

const namedIdAnswer = /* @__PURE__ */ once(() =>
  z.strictObject({ id: z.string(), key: z.string(), name: z.string() }).meta({ id: 'NamedId' }),
);

export type { FoundId, IdKind } from '@attractor/platform';

export function idCalls(http: HttpOptions) {
  return {
    find: (given: string, kinds: ReadonlyArray<IdKind>) =>
      ask<FoundId>(http, at.find, { params: { given }, query: { kinds: [...kinds].join(',') } }),
    /** The short keys of these, at most `NAMED_AT_ONCE`; what has none is left out. */
    name: (ids: ReadonlyArray<string>) =>
      ask<ReadonlyArray<NamedId>>(http, at.name, { query: { of: [...ids].join(',') } }),
  };
}

export const idRoutes = /* @__PURE__ */ once(() => ({
  name: route(at.name, {
    about: 'say by which short keys people call tasks, runs, questions and projects',
    access: ['viewer', 'visible'],
    answers: () => list(namedIdAnswer()),
    query: nameQuery,
    act: async ({ workflow, query }) => done(await workflow.nameIds(query.of)),
  }),
  find: route(at.find, {
    about: 'say what a key, or a part of an id, stands for',
    access: ['viewer', 'visible'],
    answers: foundIdAnswer,
    query: idQuery,
    act: async ({ workflow, params: { given }, query: { kinds } }) => {
      const one = await workflow.findId({ given, kinds });
      if (!one.ok) return one;
      return found(one.value, `${kinds.map((kind) => ID_WORDS[kind]).join(' or ')} ${given}`);
    },
  }),
}));
