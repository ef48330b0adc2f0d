import path from 'node:path';
import type { SettingAgent, SettingOrigin } from '../settings/origin.ts';
import { withPluginFolders } from './plugin-variables.ts';
import type { Tree } from './trees.ts';

/** A folder in which an agent keeps files of a type. `endsWith`: the files that count. */
export type FilePlace<Form extends string = string> = {
  readonly in: Tree['kind'];
  readonly folder: string;
  readonly agent: SettingAgent;
  readonly endsWith: string;
  readonly form: Form;
};

export type FoundFile<Form extends string = string> = {
  readonly file: string;
  /** From the place's folder, without the extension. */
  readonly name: string;
  readonly text: string;
  readonly form: Form;
  readonly plugin: string | null;
  readonly origin: SettingOrigin;
};

/** The files in the places, the strongest first: trees in order, and in each tree the places in order. */
export function filesIn<Form extends string>(
  trees: ReadonlyArray<Tree>,
  places: ReadonlyArray<FilePlace<Form>>,
): ReadonlyArray<FoundFile<Form>> {
  const found = new Map<string, FoundFile<Form>>();
  const texts = new Set<string>();
  for (const tree of trees) {
    for (const place of places.filter((candidate) => candidate.in === tree.kind)) {
      for (const { path: name, text } of tree.below(place.folder, place.endsWith)) {
        const file = path.join(tree.root, name);
        // A home that is itself a repository is searched once, and a folder that is linked to another holds the same files.
        const one = foundFile({ tree, place, name, text, file });
        const same = JSON.stringify([one.plugin, one.form, one.name, one.text]);
        if (found.has(file) || texts.has(same)) continue;
        found.set(file, one);
        texts.add(same);
      }
    }
  }
  return [...found.values()];
}

type Sighting<Form extends string> = {
  readonly tree: Tree;
  readonly place: FilePlace<Form>;
  readonly name: string;
  readonly text: string;
  readonly file: string;
};

function foundFile<Form extends string>({ tree, place, name, text, file }: Sighting<Form>): FoundFile<Form> {
  const inside = name.slice(place.folder === '' ? 0 : place.folder.length + 1);
  return {
    file,
    name: inside.slice(0, inside.length - place.endsWith.length).replace(/\/$/, ''),
    text: tree.plugin === null ? text : withPluginFolders(text, tree.root),
    form: place.form,
    plugin: tree.plugin,
    origin: { scope: tree.scope, agent: place.agent, file, line: null, name: null },
  };
}
