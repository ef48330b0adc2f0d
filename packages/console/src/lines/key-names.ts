import { type ApiClient, NAMED_AT_ONCE } from '@attractor/api';

/** Where people read, a task, a run, a question or a project is called by its key. */
export type KeyNames = {
  /** The text with the keys that are known in place of ids. */
  readonly named: (text: string) => string;
  /** Asks for the keys of the ids that came by. False: there was nothing new. */
  readonly learn: () => Promise<boolean>;
};

/** Whole ids as words of a sentence; in paths, branches and addresses they are names of their own. */
const ID = /(?<![\w/@:.-])(?:tsk|run|prm|prj)_[0-9a-z]{27}(?![\w/@-]|\.\w)/g;

export function createKeyNames(client: ApiClient): KeyNames {
  const known = new Map<string, string>();
  const unknown = new Set<string>();
  const named = (id: string): string => {
    if (!known.has(id)) unknown.add(id);
    return known.get(id) ?? id;
  };
  return {
    named: (text) => text.replaceAll(ID, named),
    learn: async () => {
      const wanted = [...unknown];
      unknown.clear();
      for (const id of wanted) known.set(id, id);
      for (let from = 0; from < wanted.length; from += NAMED_AT_ONCE) {
        const answer = await client.ids.name(wanted.slice(from, from + NAMED_AT_ONCE));
        for (const { id, key } of answer.ok ? answer.value : []) known.set(id, key);
      }
      return wanted.length > 0;
    },
  };
}
