import type { Findings } from '../written-files/findings.ts';
import { type FieldRow, readHeadFields, textIn } from '../written-files/head-fields.ts';
import { filesIn, type FilePlace } from '../written-files/places.ts';
import type { Tree } from '../written-files/trees.ts';
import type { OutputStyle } from './output-style.ts';

const here = { endsWith: '.md', form: 'style' } as const;

const PLACES: ReadonlyArray<FilePlace<'style'>> = [
  { ...here, in: 'own', folder: 'output-styles', agent: 'attractor' },
  { ...here, in: 'person', folder: '.claude/output-styles', agent: 'claude-code' },
  { ...here, in: 'repository', folder: '.attractor/output-styles', agent: 'attractor' },
  { ...here, in: 'repository', folder: '.claude/output-styles', agent: 'claude-code' },
  { ...here, in: 'plugin', folder: 'output-styles', agent: 'claude-code' },
];

const FIELDS: Readonly<Record<string, FieldRow>> = {
  name: { kind: 'text' },
  description: { kind: 'text' },
  'keep-coding-instructions': { kind: 'flag', reason: 'the instructions for coding always stay' },
  'force-for-plugin': { kind: 'any', reason: 'a person chooses the style with outputStyle' },
};

export function readStyles(trees: ReadonlyArray<Tree>, findings: Findings): ReadonlyArray<OutputStyle> {
  const styles = new Map<string, OutputStyle>();
  for (const found of filesIn(trees, PLACES)) {
    const head = readHeadFields(found, FIELDS, findings);
    if (head === null) continue;
    const own = textIn(head, 'name') ?? found.name;
    const name = found.plugin === null ? own : `${found.plugin}:${own}`;
    const style = { name, description: textIn(head, 'description') ?? '', body: head.body, origin: found.origin };
    if (!styles.has(name)) styles.set(name, style);
  }
  return [...styles.values()];
}
