import path from 'node:path';
import { isRecord } from '@attractor/base';
import { readJsonWithLines } from '../settings/json-with-lines.ts';
import { type Findings, reportProblem } from '../written-files/findings.ts';
import { installedTree, type Tree } from '../written-files/trees.ts';

const LIST = '.claude/plugins/installed_plugins.json';
const SWITCHES = '.claude/settings.json';

/** The plugins that the person installed with Claude Code and enabled in their own settings. A repository enables none. */
export function installedPlugins(person: Tree, findings: Findings): ReadonlyArray<Tree> {
  if (person.kind !== 'person') return [];
  const installed = tableAt(person, LIST, findings)?.['plugins'];
  if (!isRecord(installed)) return [];
  const switches = tableAt(person, SWITCHES, null)?.['enabledPlugins'];
  return Object.entries(installed).flatMap(([id, given]) => {
    const isOn = isRecord(switches) && switches[id] === true;
    const entry: unknown = Array.isArray(given) ? given[0] : given;
    const folder = isRecord(entry) ? entry['installPath'] : undefined;
    if (!isOn || typeof folder !== 'string' || !path.isAbsolute(folder)) return [];
    return [installedTree(folder, id.split('@', 1)[0] ?? id, findings)];
  });
}

function tableAt(tree: Tree, file: string, findings: Findings | null): Readonly<Record<string, unknown>> | null {
  const [found] = tree.below(file, '');
  if (found === undefined) return null;
  const read = readJsonWithLines(found.text);
  if (read.ok) return isRecord(read.node.value) ? read.node.value : null;
  const origin = {
    scope: tree.scope,
    agent: 'claude-code',
    file: path.join(tree.root, file),
    line: read.line,
    name: null,
  } as const;
  if (findings !== null) reportProblem(findings, { origin, line: read.line }, read.message);
  return null;
}
