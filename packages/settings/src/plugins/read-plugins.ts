import path from 'node:path';
import { isRecord } from '@attractor/base';
import type { Sourced, SettingOrigin } from '../settings/origin.ts';
import type { WrittenHooks } from '../settings/session-settings.ts';
import { readJsonWithLines, type JsonNode } from '../settings/json-with-lines.ts';
import { type Findings, reportProblem, reportUnmapped } from '../written-files/findings.ts';
import { pluginTree, type Tree } from '../written-files/trees.ts';
import { pluginVariables, withPluginFolders } from '../written-files/plugin-variables.ts';
import { installedPlugins } from './installed-plugins.ts';

/**
 * A folder with skills, commands, agents, styles, hooks and servers, under a name that prefixes each of theirs.
 * `${CLAUDE_PLUGIN_ROOT}` in hooks and servers is already replaced by its folder.
 */
export type Plugin = {
  readonly name: string;
  readonly description: string;
  readonly tree: Tree;
  readonly hooks: ReadonlyArray<WrittenHooks>;
  readonly mcpServers: ReadonlyMap<string, Sourced<unknown>>;
  readonly origin: SettingOrigin;
};

/** Each plugin is a subfolder of one of these. Claude Code's plugins are where its list of installed ones says. */
const FOLDERS: ReadonlyArray<readonly [Tree['kind'], string]> = [
  ['own', 'plugins'],
  ['person', '.agents/plugins'],
  ['repository', '.attractor/plugins'],
  ['repository', '.agents/plugins'],
];

const MANIFEST = '.claude-plugin/plugin.json';

/** `named`: the folders of plugins themselves, which win over those that are found in `trees`. */
export function readPlugins(
  trees: ReadonlyArray<Tree>,
  named: ReadonlyArray<Tree>,
  findings: Findings,
): ReadonlyArray<Plugin> {
  const plugins = new Map<string, Plugin>();
  const found = trees.flatMap((one) => [...pluginFolders(one), ...installedPlugins(one, findings)]);
  for (const tree of [...named, ...found]) {
    const plugin = readPlugin(tree, findings);
    if (plugin !== null && !plugins.has(plugin.name)) plugins.set(plugin.name, plugin);
  }
  return [...plugins.values()];
}

function pluginFolders(tree: Tree): ReadonlyArray<Tree> {
  return FOLDERS.filter(([kind]) => kind === tree.kind).flatMap(([, folder]) =>
    tree
      .below(folder, MANIFEST)
      .map(({ path: file }) => path.posix.dirname(path.posix.dirname(file)))
      .filter((plugin) => path.posix.dirname(plugin) === folder)
      .map((plugin) => pluginTree(tree, plugin, path.posix.basename(plugin))),
  );
}

/** Fields of the manifest that are about people, or that name the usual locations. */
const KNOWN: ReadonlySet<string> = new Set(
  '$schema name displayName version description author homepage repository license keywords mcpServers hooks'.split(
    ' ',
  ),
);
const ELSEWHERE = 'other folders than the usual ones are not read';

/** Published fields without a counterpart here, with the reason. */
const UNMAPPED: Readonly<Record<string, string>> = {
  skills: ELSEWHERE,
  commands: ELSEWHERE,
  agents: ELSEWHERE,
  outputStyles: ELSEWHERE,
  themes: 'how things look is chosen with /theme',
  lspServers: 'no language servers are started',
  monitors: 'nothing is watched in the background',
  channels: 'there are no channels here',
  userConfig: 'no options of plugins are asked for: ${user_config.…} stays as it is written',
  dependencies: 'each plugin is installed by itself',
  settings: 'settings are read from the files of settings',
  defaultEnabled: 'a plugin counts if it is installed and switched on',
  experimental: 'nothing that is tried out is read',
  workflows: ELSEWHERE,
  engines: 'which versions of other programs it suits is not checked',
  evals: 'no tests of plugins are run',
};

function readPlugin(tree: Tree, findings: Findings): Plugin | null {
  const file = path.join(tree.root, MANIFEST);
  const origin: SettingOrigin = { scope: tree.scope, agent: 'claude-code', file, line: null, name: null };
  const text = tree.below(MANIFEST, '')[0]?.text ?? manifestOf(tree);
  if (text === null) return lost(findings, { origin, line: null }, 'expected the manifest of a plugin here');
  const manifest = readJsonWithLines(text);
  if (!manifest.ok) return lost(findings, { origin, line: manifest.line }, manifest.message);
  const fields = manifest.node.members ?? new Map<string, JsonNode>();
  const name = fields.get('name')?.value;
  if (typeof name !== 'string' || !/^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/i.test(name)) {
    const expected = '"name" must be letters, digits and single hyphens';
    return lost(findings, { origin, line: fields.get('name')?.line ?? 1 }, expected);
  }
  for (const [key, node] of fields) {
    if (KNOWN.has(key)) continue;
    const reason = (Object.hasOwn(UNMAPPED, key) ? UNMAPPED[key] : undefined) ?? 'not known here';
    reportUnmapped(findings, { origin, line: node.keyLine }, { name: key, reason });
  }
  const inner = { ...tree, plugin: name };
  const description = fields.get('description')?.value;
  return {
    name,
    description: typeof description === 'string' ? description : '',
    tree: inner,
    hooks: hooksOf(inner, { origin, field: fields.get('hooks') }, findings),
    mcpServers: serversOf(inner, { origin, field: fields.get('mcpServers') }, findings),
    origin,
  };
}

const PARTS = ['skills', 'commands', 'agents', 'output-styles', 'hooks/hooks.json', '.mcp.json'];

/** A folder with the parts of a plugin may do without a manifest; then it has the name under which it was installed. */
function manifestOf(tree: Tree): string | null {
  const hasParts = PARTS.some((part) => tree.below(part, '').length > 0);
  return hasParts ? JSON.stringify({ name: tree.plugin }) : null;
}

type InManifest = { readonly origin: SettingOrigin; readonly field: JsonNode | undefined };

function hooksOf(tree: Tree, manifest: InManifest, findings: Findings): ReadonlyArray<WrittenHooks> {
  return tablesOf(tree, { ...manifest, file: 'hooks/hooks.json', key: 'hooks' }, findings).flatMap(
    ({ value, origin }) =>
      Object.entries(value).flatMap(([event, groups]) =>
        [groups].flat().map((group: unknown) => ({
          event,
          value: group,
          origin,
          variables: pluginVariables(tree.root),
        })),
      ),
  );
}

function serversOf(tree: Tree, manifest: InManifest, findings: Findings): ReadonlyMap<string, Sourced<unknown>> {
  const tables = tablesOf(tree, { ...manifest, file: '.mcp.json', key: 'mcpServers' }, findings);
  return new Map(
    tables.flatMap(({ value, origin }) =>
      Object.entries(value).map(([name, server]): [string, Sourced<unknown>] => [
        `plugin_${tree.plugin}_${name}`,
        { value: server, origin },
      ]),
    ),
  );
}

type Wanted = InManifest & { readonly file: string; readonly key: string };
type Table = { readonly value: Readonly<Record<string, unknown>>; readonly origin: SettingOrigin };

/** The usual file, and what the manifest itself contains or points to. */
function tablesOf(tree: Tree, { origin, field, file, key }: Wanted, findings: Findings): ReadonlyArray<Table> {
  const given: ReadonlyArray<unknown> = [field?.value].flat();
  const inManifest = given.filter(isRecord).map((value) => ({ value: rooted(value, tree.root), origin }));
  const pointed = given.filter((one) => typeof one === 'string').map((one) => path.posix.normalize(one));
  const files = [...new Set([file, ...pointed])];
  const inFiles = files.flatMap((name) => {
    const text = tree.below(name, '')[0]?.text;
    if (text === undefined) return [];
    const at = { ...origin, file: path.join(tree.root, name) };
    const read = readJsonWithLines(text);
    if (!read.ok) return lost(findings, { origin: at, line: read.line }, read.message) ?? [];
    const value = isRecord(read.node.value) ? (read.node.value[key] ?? read.node.value) : null;
    if (isRecord(value)) return [{ value: rooted(value, tree.root), origin: at }];
    return lost(findings, { origin: at, line: 1 }, `expected { "${key}": { … } }`) ?? [];
  });
  return [...inManifest, ...inFiles];
}

function rooted(value: Readonly<Record<string, unknown>>, root: string): Readonly<Record<string, unknown>> {
  const read: unknown = JSON.parse(
    withPluginFolders(JSON.stringify(value), root, (text) => JSON.stringify(text).slice(1, -1)),
  );
  return isRecord(read) ? read : {};
}

function lost(findings: Findings, at: Parameters<typeof reportProblem>[1], message: string): null {
  reportProblem(findings, at, message);
  return null;
}
