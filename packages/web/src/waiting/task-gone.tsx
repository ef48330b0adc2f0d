import { keyOf } from '@attractor/api';
import { Link } from 'wouter';
import { readDraft } from '../data/draft.ts';
import { bringBack } from '../undo/hold-back.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Empty } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { showControls, whoDid, type TaskWorld } from '@attractor/api/shown';
import { leftDraft } from './prompt-drafts.ts';

/** What is looked at was deleted, in this window or by somebody else. */
export function TaskGone({ world }: { readonly world: TaskWorld }) {
  return world.task.task === null ? <DeletedByOther world={world} /> : <DeletedHere {...world.task} />;
}

function DeletedHere({ task, taskId }: TaskWorld['task']) {
  return (
    <>
      <PageHead title={task === null ? 'A task' : keyOf(task)} />
      <Empty title="It was deleted here a moment ago">
        <Button className="mt-2" onClick={() => bringBack(taskId)}>
          Bring it back
        </Button>
      </Empty>
    </>
  );
}

/** Who deleted it, and what was written until then. */
function DeletedByOther({ world: { task, last } }: { readonly world: TaskWorld }) {
  const known = last?.task ?? null;
  const end = task.history.findLast(({ type }) => type === 'task.deleted');
  const who = end === undefined ? null : whoDid(end.actor);
  const text = last === null ? '' : writtenFor(last);
  return (
    <>
      <PageHead title={known === null ? 'A task' : `${keyOf(known)} ${showControls(known.title)}`} />
      <div role="status">
        <Empty title={who === null ? 'It was deleted with its project' : showControls(`${who} has deleted it`)}>
          <p>Its runs, questions and files are gone with it; its branch stays in the repository.</p>
          <Link href="/board" className={`${buttonClass('primary')} mt-4`}>
            Open the board
          </Link>
        </Empty>
      </div>
      {text === '' ? null : (
        <section aria-label="What you wrote" className="mt-4 rounded-lg border border-edge bg-panel px-4 py-3 text-sm">
          <h2 className="font-semibold">What you wrote here and did not send:</h2>
          <pre className="mt-2 max-h-60 overflow-auto rounded-md bg-well px-3 py-2 font-mono whitespace-pre-wrap">
            {showControls(text)}
          </pre>
          <Button className="mt-2" onClick={() => void navigator.clipboard.writeText(text)}>
            Copy
          </Button>
        </section>
      )}
    </>
  );
}

/** Besides answers: notes, what was to be said to the agent, the words of a review. */
const OWN = ['note', 'steer', 'review'] as const;

function writtenFor({ taskId, prompts }: TaskWorld['task']): string {
  const answers = prompts.map(({ id }) => leftDraft(id));
  return [...answers, ...OWN.map((part) => readDraft(`${taskId}.${part}`))].filter(Boolean).join('\n\n');
}
