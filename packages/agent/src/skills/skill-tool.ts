import type { Expanded } from '@attractor/settings';
import { answering, failure, optionalText, requiredText } from '../tools/arguments.ts';
import type { RegisteredTool, ToolContext } from '../types/index.ts';

export type SkillCall = {
  readonly name: string;
  readonly arguments: string;
  readonly context: ToolContext | undefined;
};

export type Skills = {
  /** The skills that a model may use. */
  readonly list: () => ReadonlyArray<{ readonly name: string; readonly description: string }>;
  /** Some run commands before they are read. */
  readonly runsCommands: boolean;
  /** The skill's text; null: there is no such skill. */
  readonly read: (call: SkillCall) => Promise<Expanded | null>;
};

/** The limit in characters for all names and descriptions together; many skills would fill the context with them. */
const BUDGET = 15_000;

/** The tool's description holds the names and descriptions as of when the tool is made; a body is read when it is needed. */
export function createSkillTool(skills: Skills): RegisteredTool {
  return {
    definition: {
      name: 'skill',
      description: [
        'Gives instructions for one kind of work. When the task is one that a skill is for, use it before you begin.',
        ...rowsWithin(skills.list(), BUDGET),
      ].join('\n'),
      parameters: {
        type: 'object',
        properties: {
          skill: { type: 'string', minLength: 1, description: 'The name of the skill.' },
          args: { type: 'string', description: 'What it is to be used with, if it takes arguments.' },
        },
        required: ['skill'],
        additionalProperties: false,
      },
    },
    executor: answering(async (args, _env, context) => {
      const name = requiredText(args, 'skill').trim().replace(/^\//, '');
      const said = await skills.read({ name, arguments: optionalText(args, 'args')?.trim() ?? '', context });
      if (said === null) {
        const names = skills.list().map((skill) => skill.name);
        return failure(
          `There is no skill ${name}. ${names.length === 0 ? 'None is here.' : `Known: ${names.join(', ')}.`}`,
        );
      }
      return said.ok ? said.text : failure(said.message);
    }),
    ...(skills.runsCommands ? { serial: true, judgesItself: true } : { readOnly: true }),
  };
}

/** Whole rows as long as they fit, then names alone, so that the model knows every skill. */
export function rowsWithin(
  skills: ReadonlyArray<{ readonly name: string; readonly description: string }>,
  budget: number,
): ReadonlyArray<string> {
  let left = budget - skills.reduce((sum, { name }) => sum + name.length + 3, 0);
  return skills.map(({ name, description }) => {
    if (description.length + 2 > left) return `- ${name}`;
    left -= description.length + 2;
    return `- ${name}: ${description}`;
  });
}
