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
import { Empty } from '../../ui/notice.tsx';
import { showControls } from '../../ui/plain-text.ts';
import { Ago } from '../../ui/time.tsx';
import type { TaskWorld } from '../../data/task-world.ts';

const ICONS: Readonly<Record<Artifact['type'], LucideIcon>> = {
  branch: GitBranch,
  commit: GitCommitHorizontal,
  diff: FileDiff,
  pull_request: GitPullRequest,
  document: FileText,
  mock: Image,
  link: Link2,
};

/** What the runs left behind. */
export function Artifacts({ world }: { readonly world: TaskWorld }) {
  const { artifacts } = world.task;
  if (artifacts.length === 0)
    return <Empty title="Nothing has been made yet">Branches, commits and documents appear here.</Empty>;
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-panel">
      {artifacts.map((artifact) => (
        <ArtifactLine key={artifact.id} artifact={artifact} />
      ))}
    </ul>
  );
}

/** `branchName` as a person writes it. */
function wordsOf(name: string): string {
  return showControls(name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase());
}

function ArtifactLine({ artifact }: { readonly artifact: Artifact }) {
  const Icon = ICONS[artifact.type] ?? FileText;
  const facts = Object.entries(artifact.metadata).filter(
    ([, value]) => typeof value === 'number' || (typeof value === 'string' && !artifact.label.includes(value)),
  );
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      <Icon size={15} aria-hidden className="mt-1 shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="text-sm break-words">
          <span className="font-medium">{showControls(artifact.label)}</span>
          <span className="text-sm text-faint"> · {artifact.type.replaceAll('_', ' ')}</span>
        </p>
        <p className="flex flex-wrap gap-x-4 text-sm text-soft">
          {facts.map(([name, value]) => (
            <span key={name} className="break-all">
              {wordsOf(name)} <code className="font-mono">{showControls(String(value))}</code>
            </span>
          ))}
        </p>
      </div>
      <span className="text-sm text-faint">
        <Ago at={artifact.createdAt} />
      </span>
    </li>
  );
}
