import type { NewUserBody, User } from '@attractor/api';
import { expectedOfUserName } from '@attractor/base';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { ChoiceField } from '../../ui/field.tsx';
import { Loading, LoadFailed, Refused } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { showControls } from '@attractor/api/shown';
import { useCommand } from '../../ui/use-command.ts';
import { FreeName, isFree } from './free-name.tsx';

const ROLES = ['viewer', 'operator', 'admin'].map((value) => ({ value, label: value }));

/** The people that an admin let in, and what each may do. */
export function Users() {
  const cache = useQueryClient();
  const users = useAnswer(['users'], () => api.users.list());
  const again = () => void cache.invalidateQueries({ queryKey: ['users'] });
  if (users.state === 'loading') return <Loading />;
  if (users.state === 'failed') return <LoadFailed error={users.error} again={users.again} />;
  return (
    <Panel title="Users" flush>
      <ul className="rows text-sm">
        {users.value.length === 0 ? <li className="flex items-center text-soft">Only the owner can sign in.</li> : null}
        {users.value.map((user) => (
          <UserLine key={user.id} user={user} onChanged={again} />
        ))}
      </ul>
      <div className="px-4 py-3">
        <AddUser taken={users.value.map(({ name }) => name)} onAdded={again} />
      </div>
    </Panel>
  );
}

function UserLine({ user, onChanged }: { readonly user: User; readonly onChanged: () => void }) {
  const { busy, error, run } = useCommand();
  const [link, setLink] = useState('');
  const [isEnding, setEnding] = useState(false);
  const act = async (call: Parameters<typeof run>[0]) => {
    if ((await run(call)) !== null) onChanged();
  };
  const invite = async () => {
    const minted = await run(() => api.access.mintKey(user.name));
    if (minted !== null) setLink(`${location.origin}/#key=${minted.key}`);
  };
  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-1">
      <span className="min-w-0 flex-[1_1_100%] self-center truncate font-medium sm:flex-1">
        {showControls(user.name)}
      </span>
      <ChoiceField
        isLabelHidden
        label={`Role of ${showControls(user.name)}`}
        value={user.role}
        choices={ROLES}
        onChange={(role) => void act(() => api.users.change(user.name, { role: role as User['role'] }))}
      />
      <span className="-mx-3 flex">
        <Button kind="quiet" isBusy={busy} onClick={() => void invite()}>
          Sign-in address
        </Button>
        <Button
          kind="quiet"
          isBusy={busy}
          aria-label={`Remove ${showControls(user.name)}`}
          onClick={() => setEnding(true)}
        >
          Remove
        </Button>
      </span>
      {link === '' ? null : <ShownOnce label="Works once" text={link} />}
      {isEnding ? (
        <Confirm
          title={`Remove ${showControls(user.name)}`}
          act="Remove"
          busy={busy}
          error={error}
          onConfirm={() => void act(() => api.users.remove(user.name))}
          onClose={() => setEnding(false)}
        >
          Whoever works as {showControls(user.name)} is signed out at once, and the keys end for good. What they did
          stays on record.
        </Confirm>
      ) : (
        <Refused error={error} />
      )}
    </li>
  );
}

type AddUserProps = { readonly taken: ReadonlyArray<string>; readonly onAdded: () => void };

/** Only the name can be refused: the role is one of three. */
function AddUser({ taken, onAdded }: AddUserProps) {
  const [name, setName] = useState('');
  const [role, setRole] = useState('operator');
  const { busy, error, run, forget } = useCommand();
  const known = { taken, expectedOf: (given: string) => expectedOfUserName(given.toLowerCase()) };
  const add = async () => {
    const made = await run(() => api.users.add({ name: name.trim(), role: role as NewUserBody['role'] }));
    if (made === null) return;
    setName('');
    onAdded();
  };
  return (
    <form
      className="grid items-start gap-3 sm:grid-cols-3"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <FreeName
        label="Name"
        value={name}
        known={known}
        refused={error}
        onChange={(next) => {
          setName(next);
          forget();
        }}
      />
      <ChoiceField label="Role" value={role} choices={ROLES} onChange={setRole} />
      <Button type="submit" className="justify-self-start sm:mt-6" isBusy={busy} disabled={!isFree(name, known)}>
        Let in
      </Button>
    </form>
  );
}
