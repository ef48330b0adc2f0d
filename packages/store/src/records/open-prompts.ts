import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import type { Schema } from '../database/schema.ts';

/** Of a row of `tasks`: somebody was asked about it and has not answered. */
export function hasOpenPrompt(): Expression<SqlBool> {
  const task = expressionBuilder<Schema, 'tasks'>();
  return task.exists(
    task
      .selectFrom('prompts')
      .select('prompts.id')
      .whereRef('prompts.task_id', '=', 'tasks.id')
      .where('prompts.status', '=', 'pending'),
  );
}

/** Of a row of `prompts`: none of the same task has been open for longer. */
export function isFirstOpenPrompt(): Expression<SqlBool> {
  const prompt = expressionBuilder<Schema, 'prompts'>();
  return prompt.not(
    prompt.exists(
      prompt
        .selectFrom('prompts as earlier')
        .select('earlier.id')
        .whereRef('earlier.task_id', '=', 'prompts.task_id')
        .whereRef('earlier.id', '<', 'prompts.id')
        .where('earlier.status', '=', 'pending'),
    ),
  );
}
