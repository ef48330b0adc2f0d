import { expectedOfName } from '@attractor/base';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { NameField } from '../../ui/name-field.tsx';
import { Overlay } from '../../ui/overlay.tsx';

type NameViewProps = { readonly onClose: () => void; readonly onName: (name: string) => void };

/** Asks for the name of what is shown. */
export function NameView({ onClose, onName }: NameViewProps) {
  const [name, setName] = useState('');
  return (
    <Overlay title="Save this view" onClose={onClose}>
      <form
        className="flex items-end gap-3 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          onName(name.trim());
        }}
      >
        <div className="min-w-0 flex-1">
          <NameField label="Name" value={name} longest={60} onChange={setName} />
        </div>
        <Button kind="primary" type="submit" disabled={expectedOfName(name, 60) !== null}>
          Save
        </Button>
      </form>
    </Overlay>
  );
}
