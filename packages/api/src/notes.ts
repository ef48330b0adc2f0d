import { z } from 'zod';
import { once } from './once.ts';

export const noteRoutes = {
  all: '/api/tasks/:id/notes',
} as const;

export const newNoteBody = /* @__PURE__ */ once(() => z.strictObject({ text: z.string().trim().min(1).max(50_000) }));

export type { TaskNote } from '@attractor/platform';
