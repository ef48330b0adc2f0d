import type { Bundle, BundlePart, Journals } from '@attractor/bundle';
import { CommandFailure, EXIT } from '@attractor/console';

type Of<Name extends BundlePart['part']> = (BundlePart & { readonly part: Name; readonly value: unknown })['value'];

/** What a bundle says about how a run was made. */
export type RecordedRun = {
  readonly run: Of<'run'>;
  readonly task: Of<'task'>;
  readonly settings: Of<'settings'>;
  readonly outcomes: Of<'prompt'>['outcomes'];
  readonly journals: Journals;
  /** How often a person said something that became an input of its own. */
  readonly spoken: number;
};

export async function recordedRun(bundle: Bundle): Promise<RecordedRun> {
  const found: { run?: Of<'run'>; task?: Of<'task'>; settings?: Of<'settings'>; prompt?: Of<'prompt'> } = {};
  const journals = new Map<string, Array<Of<'record'>>>();
  let spoken = 0;
  for await (const part of bundle.parts()) {
    if (part.part === 'run') found.run = part.value;
    if (part.part === 'task') found.task = part.value;
    if (part.part === 'settings') found.settings = part.value;
    if (part.part === 'prompt') found.prompt = part.value;
    if (part.part === 'record') (journals.get(part.journal) ?? begin(journals, part.journal)).push(part.value);
    if (part.part === 'event' && part.value.type === 'message.delivered' && part.value.data.via === 'input')
      spoken += 1;
  }
  const { run, task, settings, prompt } = found;
  if (run === undefined || task === undefined || settings === undefined || prompt === undefined)
    throw new CommandFailure("this run can't be run again: it was exported before it had its prompt", EXIT.refused);
  return { run, task, settings, outcomes: prompt.outcomes, journals, spoken };
}

function begin<Item>(lists: Map<string, Item[]>, name: string): Item[] {
  const list: Item[] = [];
  lists.set(name, list);
  return list;
}
