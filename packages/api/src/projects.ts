import { z } from 'zod';
import { once } from './once.ts';

export const projectRoutes = {
  all: '/api/projects',
  one: '/api/projects/:id',
  trust: '/api/projects/:id/trust',
} as const;

export const newProjectBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    path: z.string().min(1).max(4096),
    name: z.string().min(1).max(200).exactOptional(),
    description: z.string().max(20_000).exactOptional(),
    defaultBranch: z.string().min(1).max(250).exactOptional(),
  }),
);

export const trustBody = /* @__PURE__ */ once(() => z.strictObject({ hash: z.string().min(1).max(200) }));

export type NewProjectBody = z.infer<ReturnType<typeof newProjectBody>>;

export type { Project } from '@attractor/platform';
