import { runGit } from '@attractor/git';
import { askPerson, withdrawPrompts } from '@attractor/pipeline';
import {
  branchTip,
  fetchBranch,
  git,
  newestBase,
  type ProjectGit,
  readCommits,
  readDiffStat,
  type Repository,
  type TaskPlace,
} from '@attractor/repository';
import { type Actor, findPrompt, type Prompt, type PromptOf, refuse, type Result, taskKeyOf } from '@attractor/store';
import { type AnswerCommand, answerPrompt } from '../prompts/prompts.ts';
import { onPlace, type ScmOptions } from './on-place.ts';

/** The answer to a question, if it is no approval of work that changed since it was shown. */
export async function answerShown(options: ScmOptions, command: AnswerCommand, actor: Actor): Promise<Result<Prompt>> {
  const prompt = command.answer.decision === 'approve' ? await findPrompt(options.store.read, command.promptId) : null;
  const changed = prompt?.type === 'review' ? await refuseChangedWork(options, prompt, actor) : null;
  return changed ?? answerPrompt(options.store, command, { actor, defaultAgentType: options.defaultAgentType });
}

/** An approval counts for the work that was shown. Null: it may count. */
export async function refuseChangedWork(
  options: ScmOptions,
  prompt: PromptOf<'review'>,
  actor: Actor,
): Promise<Result<never> | null> {
  const renewed = await renewReview(options, prompt, actor);
  if (renewed === null) return null;
  const { asked, words } = renewed;
  return refuse(
    'conflict',
    `The work has changed since it was shown: ${words}. Look at it: attractor tasks diff ${taskKeyOf(asked)}. You are asked again as ${asked.key}.`,
    { promptId: asked.id },
  );
}

/**
 * Asks anew where the branch holds another change than the review shows. Null if the change is the same, also on a newer base, or can't be
 * read on this machine.
 */
export async function renewReview(
  options: ScmOptions,
  prompt: PromptOf<'review'>,
  actor: Actor,
): Promise<{ readonly asked: Prompt; readonly words: string } | null> {
  const { head, branch } = prompt.payload;
  if (prompt.status !== 'pending' || head === undefined || head === null) return null;
  const looked = await onPlace(options, { taskId: prompt.taskId }, async (project, place) => {
    const since = branch === place.branch ? await changeSince(project, { place, head }) : null;
    return { ok: true, value: since === null ? null : { ...since, task: place.task } };
  });
  if (!looked.ok || looked.value === null) return null;
  const { tip, words, task } = looked.value;
  const asked = await options.store.transact(async (tx) => {
    const asking = { projectId: task.projectId, actor };
    await withdrawPrompts(tx, { taskId: task.id, only: ({ id }) => id === prompt.id }, asking);
    const { todo } = prompt.payload;
    // What was seen of the plan was seen on another commit.
    const anew = todo?.map((one) => ({
      ...one,
      state: 'open' as const,
      detail: 'the branch has changed since then',
    }));
    const payload = { ...prompt.payload, head: tip, ...(anew === undefined ? {} : { todo: anew }) };
    return askPerson(tx, { ...prompt, payload, key: null }, asking);
  });
  return { asked, words: `${head.slice(0, 9)} → ${tip.slice(0, 9)}, ${words}` };
}

async function changeSince(
  project: ProjectGit,
  { place, head }: { readonly place: TaskPlace; readonly head: string },
): Promise<{ readonly tip: string; readonly words: string } | null> {
  const { repository } = project;
  const tip = await branchTip(repository, place.branch);
  if (tip === null || tip === head || (await isSameChange(project, place, [head, tip]))) return null;
  const commits = await readCommits(repository.root, { from: head, to: tip });
  const stat = await readDiffStat(repository.root, { from: head, to: tip });
  const told = (commits.ok ? commits.value : [])
    .slice(-TOLD)
    .map(({ hash, message }) => `${hash.slice(0, 9)} ${message}`);
  const lines = stat.ok
    ? `+${stat.value.additions} -${stat.value.deletions} across ${stat.value.filesChanged} files`
    : '';
  return { tip, words: [...told, lines].filter((text) => text !== '').join(', ') };
}

const TOLD = 3;
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * A branch may be brought onto the remote's base or onto the local one. What can't be read on this machine counts as the same. The remote is
 * asked: an agent can write the refs that say what its base is.
 */
async function isSameChange(
  project: ProjectGit,
  { baseBranch }: TaskPlace,
  [head, tip]: readonly [string, string],
): Promise<boolean> {
  const { repository, remote, talk } = project;
  if (remote !== null) await fetchBranch({ repository, remote, branch: baseBranch, talk });
  const bases = [await newestBase(project, baseBranch), await branchTip(repository, baseBranch)];
  for (const base of new Set(bases)) {
    if (base === null) continue;
    const shown = await patchOf(repository, base, head);
    if (shown === null || shown === (await patchOf(repository, base, tip))) return true;
  }
  return bases.every((base) => base === null);
}

/**
 * The change over the base, without what only says where it stands. Byte for byte, and of a file that people are shown by its name alone the
 * whole contents: anything else could take their place. One that is too long is only the same as itself.
 */
async function patchOf({ root }: Repository, base: string, commit: string): Promise<string | null> {
  const forked = await git(['merge-base', base, commit], { cwd: root });
  if (!forked.ok) return null;
  const flags = ['-r', '-p', '--binary', '--no-renames', '--unified=3'];
  const diff = await runGit(['diff-tree', ...flags, '--end-of-options', forked.value, commit], {
    cwd: root,
    maxOutputBytes: MOST_BYTES,
    encoding: 'latin1',
  });
  if (diff.exitCode !== 0) return null;
  return diff.truncated ? commit : diff.stdout.replaceAll(/^(?:index .*|@@ .*)$/gm, '');
}
