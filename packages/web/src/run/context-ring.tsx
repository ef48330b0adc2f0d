import type { RunView } from '@attractor/api';
import { useAnswer } from '../data/answers.ts';
import { api } from '../data/api.ts';
import { useMay } from '../data/role.tsx';
import { Ring } from '../ui/ring.tsx';
import { showTokens, contextUse } from '@attractor/api/shown';

/** How full the context of a run's model is. */
export function ContextRing({ view }: { readonly view: RunView }) {
  const may = useMay('operator');
  const providers = useAnswer(['providers'], () => api.agents.providers(), { enabled: may });
  const use = providers.state === 'ready' ? contextUse(view, providers.value) : null;
  if (use === null) return null;
  const percent = Math.round((use.used / use.window) * 100);
  return (
    <div className="flex min-h-6 items-center justify-between text-sm">
      <span className="text-soft">Context</span>
      <span className="flex items-center gap-2 tabular-nums">
        {showTokens(use.used)} of {showTokens(use.window)}
        <Ring share={use.used / use.window} label={`${percent} % of the context is used`} />
      </span>
    </div>
  );
}
