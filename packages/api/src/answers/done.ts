import { z } from 'zod';
import { once } from '../once.ts';

export const doneAnswer = /* @__PURE__ */ once(() => z.strictObject({ done: z.literal(true) }).meta({ id: 'Done' }));
