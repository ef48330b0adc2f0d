import { once } from '@attractor/base';
import { ROLES } from '@attractor/facts';
import { z } from 'zod';
import { id, time } from './shape.ts';

const projects = () => z.array(z.string()).readonly().nullable().meta({ description: 'Ids. Null: all.' });

export const userAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({ id: id('usr'), name: z.string(), role: z.enum(ROLES), projects: projects(), createdAt: time() })
    .meta({ id: 'User' }),
);

export const apiKeyAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      prefix: z.string(),
      name: z.string(),
      user: z.string(),
      role: z.enum(ROLES),
      projects: projects(),
      createdAt: time(),
      expiresAt: time().nullable(),
      lastUsedAt: time().nullable(),
      revokedAt: time().nullable(),
    })
    .meta({ id: 'ApiKey' }),
);

export const newKeyAnswer = /* @__PURE__ */ once(() =>
  z.strictObject({ key: apiKeyAnswer(), secret: z.string() }).meta({ id: 'NewApiKey' }),
);

export const auditEntryAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: id('aud'),
      at: time(),
      person: z.string(),
      via: z.string().nullable(),
      apiKey: z.string().nullable(),
      act: z.string(),
      summary: z.string(),
      projectId: z.string().nullable(),
      taskId: z.string().nullable(),
      runId: z.string().nullable(),
    })
    .meta({ id: 'AuditEntry' }),
);
