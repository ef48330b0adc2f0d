import type { Attachment } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { Download, Paperclip, X } from 'lucide-react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useHidden } from '../../data/hidden.ts';
import { For } from '../../data/role.tsx';
import { useAfterLog } from '../../data/use-after-log.ts';
import { showBytes, showControls, typeset } from '@attractor/api/shown';
import { holdBack } from '../../undo/hold-back.ts';
import { buttonClass, IconButton } from '../../ui/button.tsx';
import { fittingFiles } from '../../ui/fitting-files.ts';
import { Panel } from '../../ui/panel.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { toast } from '../../ui/toast.tsx';

/** The files that people gave to the task; a person can fetch, add and remove them. */
export function Attachments({ taskId }: { readonly taskId: string }) {
  useAfterLog(['attachments', taskId]);
  const files = useAnswer(['attachments', taskId], () => api.attachments.list(taskId));
  const hidden = useHidden();
  const cache = useQueryClient();
  if (files.state !== 'ready') return null;
  const shown = files.value.filter(({ id }) => !hidden.has(id));
  const again = () => cache.invalidateQueries({ queryKey: ['attachments', taskId] });
  const add = async (chosen: FileList | null) => {
    for (const file of fittingFiles(chosen ?? [])) {
      const content = new Uint8Array(await file.arrayBuffer());
      const mediaType = file.type === '' ? {} : { mediaType: file.type };
      const added = await api.attachments.add(taskId, { name: file.name, ...mediaType, content });
      if (!added.ok) toast(typeset(`${file.name}: ${added.error.message}`), { isBad: true });
    }
    files.again();
  };
  const side = (
    <For least="operator">
      <label className={`${buttonClass('quiet')} -mr-3 cursor-pointer focus-within:outline-2`}>
        Add files
        <input type="file" multiple className="sr-only" onChange={(event) => void add(event.target.files)} />
      </label>
    </For>
  );
  return (
    <Panel title="Files" side={side} flush>
      {shown.length === 0 ? <p className="px-4 py-3 text-sm text-soft">No files are attached.</p> : null}
      <ul className="divide-y divide-line">
        {shown.map((file) => (
          <FileLine key={file.id} file={file} onRemoved={again} />
        ))}
      </ul>
    </Panel>
  );
}

function FileLine({ file, onRemoved }: { readonly file: Attachment; readonly onRemoved: () => Promise<unknown> }) {
  const name = showControls(file.name);
  const remove = () =>
    holdBack({
      text: `${file.name} removed`,
      ids: [file.id],
      send: (by) => by.attachments.remove(file.id),
      again: onRemoved,
    });
  return (
    <li className="flex min-h-10 items-center gap-3 px-4 py-1.5 text-sm">
      <Paperclip size={14} aria-hidden className="shrink-0 text-faint" />
      <span className="min-w-0 flex-1 wrap-anywhere">{name}</span>
      <span className="text-soft tabular-nums">{showBytes(file.size)}</span>
      <IconButton
        label={`Download ${name}`}
        onClick={() => void saveFile(file.name, () => api.attachments.read(file.id))}
      >
        <Download size={14} aria-hidden />
      </IconButton>
      <For least="operator">
        <IconButton label={`Remove ${name}`} onClick={remove}>
          <X size={14} aria-hidden />
        </IconButton>
      </For>
    </li>
  );
}
