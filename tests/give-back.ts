import { afterAll, vi } from 'vitest';
import { removeLeftovers } from './leftovers.ts';

/** A soak leaves thousands of folders. */
const TIDYING_MS = 600_000;

/** Files share a process: what one has set, started and made is gone before the next. */
afterAll(() => {
  vi.unstubAllEnvs();
  removeLeftovers();
}, TIDYING_MS);
