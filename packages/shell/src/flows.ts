import { isApproval } from './destructive/code.ts';
import { worsen, type Draft } from './draft.ts';
import { rememberWritten } from './fetched-files.ts';
import { namesSecretFile } from './secret-names.ts';
import type { Walk } from './walk-state.ts';

const EXFILTRATES = 'sends credentials to the network';
const RUNS_DOWNLOAD = 'runs what it fetched from the network';
const REMOTE_SHELL = 'opens a lasting door: a shell for another machine';

/** What flows through a pipeline: secrets to the network, a download or a connection to an interpreter. */
export function judgePipeline(members: ReadonlyArray<ReadonlyArray<Draft>>, walk: Walk, text: string): void {
  let secret = false;
  let fetched = false;
  let shell = false;
  let connected = false;
  for (const drafts of members) {
    for (const draft of drafts) {
      const { facts } = draft;
      if (secret && facts.network) worsen(draft, 'destructive', EXFILTRATES);
      if (fetched && facts.interprets) worsen(draft, 'destructive', RUNS_DOWNLOAD);
      if (facts.network && isApproval(text)) worsen(draft, 'destructive', "turns off the agent's own guard");
      if ((shell && facts.network) || (connected && facts.interprets)) worsen(draft, 'destructive', REMOTE_SHELL);
    }
    secret ||= drafts.some(({ facts }) => facts.secret);
    fetched ||= drafts.some(({ facts }) => facts.fetches);
    shell ||= drafts.some(({ facts }) => facts.interprets);
    connected ||= drafts.some(({ facts, words }) => facts.network && words[0]?.text !== 'gh');
  }
  if (fetched) rememberWritten(members.flat(), walk.seen.fetched);
  if (
    secret &&
    members.some((drafts) => drafts.some(({ targets }) => targets.some(({ access }) => access === 'write')))
  )
    walk.seen.secretStored = true;
}

/** What a command gets from the commands inside its words. */
export function judgeInner(
  draft: Draft,
  inner: ReadonlyArray<Draft>,
  { walk, interprets }: { readonly walk: Walk; readonly interprets: boolean },
): void {
  const { facts } = draft;
  const carried = walk.seen.secretStored || walk.seen.carriers.some((name) => draft.text.includes(name));
  if (facts.network && (facts.secret || carried || inner.some((one) => one.facts.secret)))
    worsen(draft, 'destructive', EXFILTRATES);
  if (interprets && inner.some((one) => one.facts.fetches)) worsen(draft, 'destructive', RUNS_DOWNLOAD);
  if (interprets && facts.network) worsen(draft, 'destructive', REMOTE_SHELL);
  const keeps =
    draft.words.length === 0 || draft.targets.some(({ access, via }) => access === 'write' && via === 'redirection');
  const secret = facts.secret || inner.some((one) => one.facts.secret);
  if (keeps && secret) walk.seen.secretStored = true;
  if (secret && walk.seen.carriers.length < MOST_CARRIERS) walk.seen.carriers.push(...carriersOf(draft));
}

const MOST_CARRIERS = 20;
const COPIERS: ReadonlySet<string> = new Set('cp mv ln install dd tar zip gzip 7z rsync'.split(' '));
const READERS: ReadonlySet<string> = new Set('read mapfile readarray'.split(' '));

/** Where a command that gets a secret puts it: a file under another name, or a variable. */
function carriersOf({ words }: Draft): ReadonlyArray<string> {
  const [name, ...others] = words.map(({ text }) => text);
  const operands = others.filter((text) => !text.startsWith('-') && !namesSecretFile(text));
  if (COPIERS.has(name ?? '')) return operands.map((text) => (text.length > 2 ? text : `@${text}`));
  return READERS.has(name ?? '') ? operands.flatMap((text) => [`$${text}`, `\${${text}`]) : [];
}
