import { isRecord } from '@attractor/base';
import type { BundlePart } from './format.ts';

type Line = Readonly<Record<string, unknown>>;
type Holds = (line: Line) => boolean;

/** What has to be there before a part counts; a later version may add to it. */
const PARTS: Readonly<Record<BundlePart['part'], Holds>> = {
  versions: texts(),
  run: (line) =>
    texts('id', 'taskId', 'agentType', 'mode', 'status', 'model', 'startedAt')(line) &&
    Array.isArray(valueOf(line)['checks']),
  task: texts('id', 'title', 'status'),
  project: texts('id', 'name', 'path'),
  settings: texts('agentType', 'mode'),
  prompt: (line) => texts('text')(line) && Array.isArray(valueOf(line)['outcomes']),
  event: (line) =>
    texts('type', 'at', 'summary')(line) && typeof valueOf(line)['seq'] === 'number' && isRecord(valueOf(line)['data']),
  record: (line) => {
    const { event } = valueOf(line);
    return typeof line['journal'] === 'string' && isRecord(event) && typeof event['kind'] === 'string';
  },
  change: texts(),
  patch: isPiece,
  check: texts('name', 'command', 'phase', 'commit', 'output'),
  check_output: isPiece,
  artifact: texts('id', 'type', 'label'),
  usage: texts(),
  base_file: (line) => isPiece(line) && typeof line['path'] === 'string' && typeof line['mode'] === 'string',
  base: (line) => texts('commit', 'tree')(line) && Array.isArray(valueOf(line)['masked']),
  missing: ({ text }) => typeof text === 'string',
};

/** Whether a line is a part that this version knows, with what it needs of it. */
export function isPart(line: unknown): line is BundlePart {
  if (!isRecord(line) || typeof line['part'] !== 'string' || !isPartName(line['part'])) return false;
  return PARTS[line['part']](line);
}

function isPartName(name: string): name is BundlePart['part'] {
  return Object.hasOwn(PARTS, name);
}

function valueOf({ value }: Line): Line {
  return isRecord(value) ? value : {};
}

/** A value with these texts. */
function texts(...names: ReadonlyArray<string>): Holds {
  return (line) => isRecord(line['value']) && names.every((name) => typeof valueOf(line)[name] === 'string');
}

function isPiece({ text, base64 }: Line): boolean {
  return typeof text === 'string' || typeof base64 === 'string';
}
