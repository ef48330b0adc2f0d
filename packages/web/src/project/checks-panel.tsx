import { useAnswer } from '../data/answers.ts';
import { api } from '../data/api.ts';
import { useMay } from '../data/role.tsx';
import { showControls } from '@attractor/api/shown';
import { ChecksEditor } from './checks-editor.tsx';

/** The commands that judge the work of agents, and how to have others. */
export function ChecksPanel({ projectId }: { readonly projectId: string }) {
  const may = useMay('admin');
  const found = useAnswer(['trust', projectId], () => api.projects.examine(projectId), { enabled: may });
  if (found.state !== 'ready') return null;
  const { checks, state } = found.value;
  return (
    <div className="flex flex-col gap-3 text-sm">
      {checks.length === 0 ? (
        <p className="text-soft">
          The repository names no checks: nothing but an agent’s own word shows that its work is right.
        </p>
      ) : (
        <ul aria-label="Checks" className="grid gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-x-4">
          {checks.map(({ name, command }) => (
            <li key={name} className="grid sm:col-span-2 sm:grid-cols-subgrid">
              <span className="font-medium">{showControls(name)}</span>
              <code className="min-w-0 font-mono wrap-anywhere text-soft">{showControls(command)}</code>
            </li>
          ))}
        </ul>
      )}
      {checks.length > 0 && state !== 'trusted' ? (
        <p className="text-wait">None of them runs before it is trusted.</p>
      ) : null}
      <ChecksEditor projectId={projectId} checks={checks} />
    </div>
  );
}
