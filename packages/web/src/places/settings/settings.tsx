import { useMay, whoMay } from '../../data/role.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useAddressValue } from '../../ui/use-address-value.ts';
import { Appearance } from './appearance.tsx';
import { Keys } from './keys.tsx';
import { Notifications } from './notifications.tsx';
import { ServerState } from './server-state.tsx';
import { Templates } from './templates.tsx';
import { Users } from './users.tsx';

const SECTIONS = {
  appearance: Appearance,
  users: Users,
  keys: Keys,
  notifications: Notifications,
  templates: Templates,
  server: ServerState,
} as const;

type SectionName = keyof typeof SECTIONS;

const TABS: ReadonlyArray<{ readonly name: SectionName; readonly label: string }> = [
  { name: 'appearance', label: 'Appearance' },
  { name: 'users', label: 'Users' },
  { name: 'keys', label: 'API keys' },
  { name: 'notifications', label: 'Notifications' },
  { name: 'templates', label: 'Templates' },
  { name: 'server', label: 'Server' },
];

/** Who may come in, what reaches whom, and how it looks. */
export function SettingsPlace() {
  const [given, choose] = useAddressValue('tab');
  const may = useMay('admin');
  const tabs = may ? TABS : TABS.slice(0, 1);
  const chosen: SectionName = tabs.find(({ name }) => name === given)?.name ?? 'appearance';
  const Section = SECTIONS[chosen];
  return (
    <div className="max-w-[960px]">
      <PageHead title="Settings" />
      <Tabs
        label="Sections"
        tabs={tabs}
        chosen={chosen}
        onChoose={(name) => choose(name === 'appearance' ? null : name)}
      >
        <div className="flex flex-col gap-4 pt-4">
          <Section />
          {may ? null : (
            <p className="text-sm text-faint">{whoMay('admin', 'change users, keys, notifications and templates')}</p>
          )}
        </div>
      </Tabs>
    </div>
  );
}
