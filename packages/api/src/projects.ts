import { z } from 'zod';

export const projectRoutes = {
  all: '/api/projects',
  one: '/api/projects/:id',
  trust: '/api/projects/:id/trust',
} as const;

export const newProjectBody = z.strictObject({
  path: z.string().min(1).max(4096),
  name: z.string().min(1).max(200).exactOptional(),
  description: z.string().max(20_000).exactOptional(),
  defaultBranch: z.string().min(1).max(250).exactOptional(),
});

export const trustBody = z.strictObject({ hash: z.string().min(1).max(200) });

export type NewProjectBody = z.infer<typeof newProjectBody>;

export type { Project } from '@attractor/platform';
