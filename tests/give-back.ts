import { afterAll, vi } from 'vitest';

/** Files share a process: variables that one has set are reset for the next. */
afterAll(() => void vi.unstubAllEnvs());
