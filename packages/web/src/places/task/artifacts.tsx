import type { Artifact } from '@attractor/api';
import {
  FileDiff,
  FileText,
  GitBranch,
  GitCommitHorizontal,
  GitPullRequest,
  Image,
  Link2,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useHidden } from '../../data/hidden.ts';
import { For } from '../../data/role.tsx';
import { holdBack } from '../../undo/hold-back.ts';
import { Button } from '../../ui/button.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Empty, Loading, LoadFailed } from '../../ui/notice.tsx';
import { artifactFacts, showControls, type TaskWorld } from '@attractor/api/shown';
import { Ago } from '../../ui/time.tsx';
import { ArtifactForm } from './artifact-form.tsx';
import { Attachments } from './attachments.tsx';

const ICONS: Readonly<Record<Artifact['type'], LucideIcon>> = {
  branch: GitBranch,
  commit: GitCommitHorizontal,
  diff: FileDiff,
  pull_request: GitPullRequest,
  document: FileText,
  mock: Image,
  link: Link2,
};

/** What the runs left behind, and what people gave. */
export function Artifacts({ world }: { readonly world: TaskWorld }) {
  const { taskId } = world.task;
  const hidden = useHidden();
  const artifacts = world.task.artifacts.filter(({ id }) => !hidden.has(id));
  const [isAdding, setAdding] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      {artifacts.length === 0 ? (
        <Empty title="Nothing has been made yet">Branches, commits and documents appear here.</Empty>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-panel">
          {artifacts.map((artifact) => (
            <ArtifactLine key={artifact.id} artifact={artifact} />
          ))}
        </ul>
      )}
      <For least="operator">
        {isAdding ? (
          <ArtifactForm taskId={taskId} onDone={() => setAdding(false)} />
        ) : (
          <div>
            <Button onClick={() => setAdding(true)}>Add a link or a document</Button>
          </div>
        )}
      </For>
      <Attachments taskId={taskId} />
    </div>
  );
}

/** Texts and links can be read, changed and removed; the others are what git and the forge have. */
const OWN = new Set<Artifact['type']>(['document', 'link']);

function ArtifactLine({ artifact }: { readonly artifact: Artifact }) {
  const Icon = ICONS[artifact.type] ?? FileText;
  const [shown, show] = useState<'content' | 'form' | null>(null);
  const [from, to] = [artifact.metadata['headBranch'], artifact.metadata['baseBranch']];
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-2.5">
      <Icon size={15} aria-hidden className="mt-1 shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="text-sm break-words">
          <span className="font-medium">{showControls(artifact.label)}</span>
          <span className="text-sm whitespace-nowrap text-faint"> · {artifact.type.replaceAll('_', ' ')}</span>
        </p>
        <p className="flex flex-wrap gap-x-4 text-sm text-soft">
          {artifact.url === null ? null : <span className="wrap-anywhere">{showControls(artifact.url)}</span>}
          {typeof from === 'string' && typeof to === 'string' ? (
            <code className="font-mono wrap-anywhere">{showControls(`${from} → ${to}`)}</code>
          ) : null}
          {artifactFacts(artifact).map(({ name, value, short }) => (
            <span key={name} className="wrap-anywhere">
              {name}{' '}
              <code className="font-mono" title={value}>
                {short}
              </code>
            </span>
          ))}
        </p>
      </div>
      {OWN.has(artifact.type) ? <ArtifactButtons artifact={artifact} shown={shown} show={show} /> : null}
      <span className="text-sm text-faint">
        <Ago at={artifact.createdAt} />
      </span>
      {shown === 'content' ? <Content id={artifact.id} /> : null}
      {shown === 'form' ? (
        <div className="order-1 w-full">
          <ArtifactForm taskId={artifact.taskId} artifact={artifact} onDone={() => show(null)} />
        </div>
      ) : null}
    </li>
  );
}

type ArtifactButtonsProps = {
  readonly artifact: Artifact;
  readonly shown: 'content' | 'form' | null;
  readonly show: (what: 'content' | 'form' | null) => void;
};

function ArtifactButtons({ artifact, shown, show }: ArtifactButtonsProps) {
  const name = showControls(artifact.label);
  const remove = () =>
    holdBack({ text: `${artifact.label} removed`, ids: [artifact.id], send: (by) => by.artifacts.remove(artifact.id) });
  return (
    <div className="-my-1.5 flex flex-wrap gap-1 max-sm:order-1 max-sm:w-full max-sm:pl-3.5">
      {artifact.type === 'link' ? null : (
        <Button
          kind="quiet"
          aria-label={`Read ${name}`}
          aria-expanded={shown === 'content'}
          onClick={() => show(shown === 'content' ? null : 'content')}
        >
          Read
        </Button>
      )}
      <For least="operator">
        <Button kind="quiet" aria-label={`Change ${name}`} onClick={() => show('form')}>
          Change
        </Button>
        <Button kind="quiet" aria-label={`Remove ${name}`} onClick={remove}>
          Remove
        </Button>
      </For>
    </div>
  );
}

function Content({ id }: { readonly id: string }) {
  const artifact = useAnswer(['artifact', id], () => api.artifacts.get(id));
  if (artifact.state === 'loading') return <Loading />;
  if (artifact.state === 'failed') return <LoadFailed error={artifact.error} again={artifact.again} />;
  return (
    <div className="order-1 w-full max-w-[90ch]">
      <Markdown text={artifact.value.content ?? artifact.value.filePath ?? 'It has no text.'} />
    </div>
  );
}
