import { readFileSync } from 'node:fs';
import { messageOf } from '@attractor/base';
import { readFrontmatter } from '@attractor/settings';
import { CommandFailure, EXIT } from '../../exit.ts';

/*
 * file = [ "---" YAML "---" ] markdown
 *
 * The head has the fields of a task as the API names them; `pipeline`, `parent` and `type` are short for pipelineId, parentTaskId and
 * taskType, and a text stands for a list of one. Without a title in the head, the first heading is the title and the rest the description.
 */
export function readTaskFile(file: string): Readonly<Record<string, unknown>> {
  const read = readFrontmatter(textOf(file));
  if (!read.ok) throw new CommandFailure(`${file}:${read.line}: ${read.message}`, EXIT.refused);
  const fields = Object.fromEntries([...read.fields].map(([name, { value }]) => field(name, value)));
  const [, heading, rest = ''] = /^#[ \t]+(.+?)[ \t]*(?:\n([\s\S]*))?$/.exec(read.body) ?? [];
  if ('title' in fields || heading === undefined)
    return { ...(read.body === '' ? {} : { description: read.body }), ...fields };
  return { title: heading, ...(rest.trim() === '' ? {} : { description: rest.trim() }), ...fields };
}

const SHORT: Readonly<Record<string, string>> = {
  pipeline: 'pipelineId',
  parent: 'parentTaskId',
  type: 'taskType',
  criteria: 'acceptanceCriteria',
};

const LISTS: ReadonlySet<string> = new Set(['tags', 'acceptanceCriteria', 'dependsOn']);

function field(name: string, value: unknown): readonly [string, unknown] {
  const long = SHORT[name] ?? name;
  return [long, LISTS.has(long) && typeof value === 'string' ? [value] : value];
}

function textOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    const reason = messageOf(error);
    throw new CommandFailure(`can't read ${file} (${reason})`, EXIT.notFound);
  }
}
