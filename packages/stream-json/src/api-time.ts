import type { Middleware } from '@attractor/llm';

/** The total time spent waiting for models. Our own work while an answer is open (`own`) does not count. */
export type ApiTime = {
  readonly middleware: Middleware;
  readonly wait: <Value>(answer: () => Promise<Value>) => Promise<Value>;
  readonly own: <Value>(work: () => Promise<Value>) => Promise<Value>;
  readonly ms: () => number;
};

export function createApiTime(): ApiTime {
  let spent = 0;
  let working = 0;
  let workSince = 0;
  const middleware: Middleware = async function* (request, next) {
    const asked = performance.now();
    try {
      yield* next(request);
    } finally {
      spent += performance.now() - asked;
    }
  };
  const wait: ApiTime['wait'] = async (answer) => {
    const asked = performance.now();
    try {
      return await answer();
    } finally {
      spent += performance.now() - asked;
    }
  };
  // Overlapping work counts once.
  const own: ApiTime['own'] = async (work) => {
    if (working++ === 0) workSince = performance.now();
    try {
      return await work();
    } finally {
      if (--working === 0) spent -= performance.now() - workSince;
    }
  };
  return { middleware, wait, own, ms: () => Math.max(0, spent) };
}
