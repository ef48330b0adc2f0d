import { once } from '@attractor/base';
import { z } from 'zod';

export const doneAnswer = /* @__PURE__ */ once(() => z.strictObject({ done: z.literal(true) }).meta({ id: 'Done' }));
