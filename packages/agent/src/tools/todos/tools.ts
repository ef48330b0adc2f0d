import type { RegisteredTool, Turn } from '../../types/index.ts';
import { failure } from '../arguments.ts';
import { todosIn, todosOf, type Todo } from './todos.ts';

const MAX_TODOS = 100;

const STEP = {
  type: 'object',
  properties: {
    content: { type: 'string', minLength: 1, description: 'What is to be done, as an order.' },
    status: { type: 'string', enum: ['pending', 'in_progress', 'completed'], description: 'How far it is.' },
    activeForm: { type: 'string', description: 'The same as something that is being done.' },
  },
  required: ['content', 'status'],
};

/** The call's result is the state, see `todosOf`. So the tool changes nothing and keeps its order in a batch. */
export function createTodoWriteTool(): RegisteredTool {
  return {
    definition: {
      name: 'todo_write',
      description:
        'Writes the list of steps for work of three steps or more; it replaces the list before. Keep exactly one step in progress, and mark a step completed as soon as it is.',
      parameters: {
        type: 'object',
        properties: { todos: { type: 'array', items: STEP, maxItems: MAX_TODOS, description: 'The whole list.' } },
        required: ['todos'],
        additionalProperties: false,
      },
    },
    executor: async (args) => {
      const todos = todosIn(args['todos']);
      const active = todos.filter(({ status }) => status === 'in_progress').length;
      if (active > 1) return failure(`The list was not taken: ${active} steps are in progress, and only one may be.`);
      return todos.length === 0 ? 'The list is empty now.' : `The list was taken.\n${shown(todos)}`;
    },
    readOnly: true,
    serial: true,
  };
}

/** The list of the calling conversation: an agent sees its own list, not that of its parent. `history` is for callers that have none. */
export function createTodoReadTool(history: () => ReadonlyArray<Turn>): RegisteredTool {
  return {
    definition: {
      name: 'todo_read',
      description: 'Shows the list of steps as it was last written.',
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
    },
    executor: async (_args, _env, context) => {
      const todos = todosOf((context?.history ?? history)());
      return todos.length === 0 ? 'There is no list of steps.' : shown(todos);
    },
    readOnly: true,
    serial: true,
  };
}

const MARKS: Readonly<Record<Todo['status'], string>> = { pending: '[ ]', in_progress: '[>]', completed: '[x]' };

function shown(todos: ReadonlyArray<Todo>): string {
  return todos.map(({ content, status }) => `${MARKS[status]} ${content}`).join('\n');
}
