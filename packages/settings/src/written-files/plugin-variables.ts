import path from 'node:path';

/** What the programs of a plugin are told. Its data stands beside its files, so that it goes where the plugin goes. */
export function pluginVariables(root: string): Readonly<Record<string, string>> {
  return { CLAUDE_PLUGIN_ROOT: root, CLAUDE_PLUGIN_DATA: path.join(root, '.data') };
}

/** A text of a plugin with its folders in place of `${CLAUDE_PLUGIN_ROOT}` and `${CLAUDE_PLUGIN_DATA}`. */
export function withPluginFolders(text: string, root: string, written: (folder: string) => string = String): string {
  return Object.entries(pluginVariables(root)).reduce(
    (rest, [name, folder]) => rest.replaceAll(`\${${name}}`, () => written(folder)),
    text,
  );
}
