import { failure } from '../tools/arguments.ts';
import { todosIn } from '../tools/todos/todos.ts';
import type { ToolSurface } from './surface.ts';

const STATUS = { type: 'string', enum: ['pending', 'in_progress', 'completed'], description: 'How far it is.' };

function stepsOf(words: string): { readonly type: 'array'; readonly items: object; readonly description: string } {
  return {
    type: 'array',
    description: 'The whole list, in order.',
    items: {
      type: 'object',
      properties: { [words]: { type: 'string', description: 'The step in a few words.' }, status: STATUS },
      required: [words, 'status'],
    },
  };
}

/** The list of steps as codex models write it. */
export const UPDATE_PLAN: ToolSurface = {
  name: 'update_plan',
  description:
    'Writes the plan for work of several steps; it replaces the plan before. At most one step is in progress; mark steps completed as you go.',
  parameters: {
    explanation: {
      schema: { type: 'string', description: 'Why the plan changes, if it does.' },
      convert: () => undefined,
    },
    plan: { is: 'todos', schema: stepsOf('step'), convert: (list) => todosIn(list, 'step') },
  },
};

/** And as those of the gemini family do. */
export const WRITE_TODOS: ToolSurface = {
  name: 'write_todos',
  parameters: { todos: { schema: stepsOf('description'), convert: (list) => todosIn(list, 'description') } },
};

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

export const VIEW_IMAGE: ToolSurface = {
  name: 'view_image',
  description: 'Shows an image file (PNG, JPEG, GIF or WebP).',
  parameters: { path: { is: 'file_path', schema: { description: 'The image.' } } },
  check: async ({ path }) =>
    typeof path === 'string' && !IMAGE.test(path)
      ? failure(`${path} is not named like an image: read it with read_file.`)
      : null,
};
