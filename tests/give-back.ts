import { afterAll, vi } from 'vitest';

/** Files share a process: the variables that one has set are not there for the next. */
afterAll(() => void vi.unstubAllEnvs());
