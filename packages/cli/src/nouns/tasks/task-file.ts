import { readFileSync } from 'node:fs';
import { messageOf } from '@attractor/base';
import { fieldsFor, isList } from '@attractor/facts';
import { readFrontmatter } from '@attractor/settings/frontmatter';
import { CommandFailure, EXIT } from '@attractor/console';

/*
 * file = [ "---" YAML "---" ] markdown
 *
 * The head has the fields of a task as the API names them or by their short names, such as `pipeline` for pipelineId; a single text counts
 * as
 * a list of one. Without a title in the head, the first heading is the title and the rest the description.
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

function field(name: string, value: unknown): readonly [string, unknown] {
  const known = fieldsFor('create').find(([long, { document }]) => name === long || name === document);
  if (known === undefined) return [name, value];
  const [long, about] = known;
  return [long, isList(about) && typeof value === 'string' ? [value] : value];
}

function textOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    const reason = messageOf(error);
    throw new CommandFailure(`can't read ${file} (${reason})`, EXIT.notFound);
  }
}
