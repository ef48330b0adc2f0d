import { COMPLEXITIES, PRIORITIES, SIZES } from '@attractor/facts';
import { z } from 'zod';

/** Several values of one field are separated by commas. */
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(values)));

/** Separated by commas, of any kind. */
export const words = () => z.string().transform((text) => text.split(',').filter((word) => word !== ''));

/** `parentTaskId=none`: only tasks that have no parent. */
export const taskFilters = () => ({
  projectId: z.string().exactOptional(),
  status: words().exactOptional(),
  priority: oneOf(PRIORITIES).exactOptional(),
  size: oneOf(SIZES).exactOptional(),
  complexity: oneOf(COMPLEXITIES).exactOptional(),
  tags: words().exactOptional(),
  search: z.string().max(500).exactOptional(),
  parentTaskId: z
    .string()
    .transform((id) => (id === 'none' ? null : id))
    .exactOptional(),
  pipelineId: z.string().exactOptional(),
  limit: z.coerce.number().int().min(1).max(1000).exactOptional(),
});
