import { z } from 'zod';
import { once } from './once.ts';

export const artifactRoutes = {
  all: '/api/tasks/:id/artifacts',
  one: '/api/artifacts/:id',
} as const;

const TYPES = ['branch', 'commit', 'diff', 'pull_request', 'document', 'mock', 'link'] as const;

const label = () => z.string().trim().min(1).max(500);
const webAddress = () => z.url({ protocol: /^https?$/ }).max(2_000);
const content = () => z.string().max(900_000);
const metadata = () => z.record(z.string(), z.unknown()).readonly();

export const newArtifactBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    type: z.enum(TYPES),
    label: label(),
    key: z.string().min(1).max(500).exactOptional(),
    url: webAddress().exactOptional(),
    content: content().exactOptional(),
    filePath: z.string().min(1).max(4096).exactOptional(),
    phaseId: z.string().min(1).exactOptional(),
    metadata: metadata().exactOptional(),
  }),
);

export const artifactEditBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    label: label().exactOptional(),
    url: webAddress().nullable().exactOptional(),
    content: content().nullable().exactOptional(),
    metadata: metadata().exactOptional(),
  }),
);

export type NewArtifactBody = z.infer<ReturnType<typeof newArtifactBody>>;
export type ArtifactEditBody = z.infer<ReturnType<typeof artifactEditBody>>;

export type { Artifact } from '@attractor/platform';
