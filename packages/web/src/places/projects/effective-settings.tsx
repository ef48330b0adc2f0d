import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { originText, settingName, settingValue } from '@attractor/api/shown';
import { Loading, LoadFailed } from '../../ui/notice.tsx';
import { Table } from '../../ui/table.tsx';

/** What a run of the project would get, and where each value comes from. */
export function EffectiveSettings({ projectId }: { readonly projectId: string }) {
  useAfterLog(['run-config', projectId]);
  const settings = useAnswer(['run-config', projectId], () => api.runConfig.get(projectId));
  if (settings.state === 'loading') return <Loading />;
  if (settings.state === 'failed') return <LoadFailed error={settings.error} again={settings.again} />;
  return (
    <div className="flex flex-col gap-2">
      {settings.value.isProjectIgnored ? (
        <p className="text-sm text-wait">The repository has settings that nobody has trusted yet: they do not count.</p>
      ) : null}
      <Table
        label="Effective settings"
        rows={settings.value.values}
        keyOf={({ name }) => name}
        columns={[
          { name: 'Setting', show: ({ name }) => settingName(name) },
          { name: 'Value', show: ({ name, value }) => settingValue(name, value) },
          { name: 'From', show: ({ origin }) => originText(origin) },
        ]}
      />
    </div>
  );
}
