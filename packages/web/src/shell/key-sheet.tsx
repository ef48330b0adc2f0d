import { useKnownActs } from '../keys/acts.ts';
import { showKeys } from '../keys/show-keys.ts';
import { KeyCaps } from '../ui/key-caps.tsx';
import { Overlay } from '../ui/overlay.tsx';

/** Every key that does something on this page. */
export function KeySheet({ onClose }: { readonly onClose: () => void }) {
  const acts = useKnownActs().filter(({ keys }) => keys !== undefined);
  const groups = [...new Set(acts.map(({ group }) => group))];
  return (
    <Overlay title="Keys" onClose={onClose} width="wide">
      <div className="gap-6 p-4 sm:columns-2">
        {groups.map((group) => (
          <section key={group} aria-label={group} className="mb-6 break-inside-avoid last:mb-0">
            <h3 className="mb-1.5 text-sm font-semibold">{group}</h3>
            <dl>
              {acts
                .filter((act) => act.group === group)
                .map(({ id, label, keys = '' }) => (
                  <div key={id} className="flex min-h-8 items-center justify-between gap-4 text-sm">
                    <dt>{label}</dt>
                    <dd>
                      <KeyCaps keys={showKeys(keys)} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Overlay>
  );
}
