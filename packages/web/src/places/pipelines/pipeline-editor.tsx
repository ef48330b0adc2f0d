import type { Failure } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import { sendHeld } from '../../undo/hold-back.ts';
import { Button } from '../../ui/button.tsx';
import { MessageField } from '../../ui/message-field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { readEdited, showControls } from '@attractor/api/shown';
import { toast } from '../../ui/toast.tsx';
import { useCommand } from '../../ui/use-command.ts';
import { PipelineForm } from './pipeline-form.tsx';

type PipelineEditorProps = { readonly id: string; readonly text: string };

/** The pipeline by fields and as JSON, one and the same: checked by the server as a whole, saved as a new version. */
export function PipelineEditor({ id, text }: PipelineEditorProps) {
  const { value, setValue, problem, isFine, busy, error, check, save } = usePipelineText(id, text);
  const edited = readEdited(value);
  const known = useAnswer(['pipelines'], () => api.pipelines.list());
  const replaced = known.state === 'ready' ? known.value.find((one) => one.id === edited?.id) : undefined;
  return (
    <Panel title="Definition">
      <div className="flex flex-col gap-3">
        {edited === null ? (
          <p className="text-sm text-soft">The fields come back as soon as the text is a pipeline again.</p>
        ) : (
          <PipelineForm pipeline={edited} onChange={(next) => setValue(JSON.stringify(next, null, 2))} />
        )}
        <MessageField label="JSON of the pipeline" rows={24} isMono value={value} onChange={setValue} />
        <Problems problem={problem} error={error} />
        <div className="flex flex-wrap items-center gap-2 border-t border-line bg-panel pt-3 md:sticky md:bottom-0 md:-mb-3 md:pb-3">
          <Button kind="primary" isBusy={busy} onClick={() => void save()}>
            {replaced === undefined ? 'Save as a new pipeline' : 'Save as a new version'}
          </Button>
          <Button isBusy={busy} onClick={() => void check()}>
            Check
          </Button>
          <ImportButton onRead={setValue} />
          {text === '' ? null : (
            <Button kind="quiet" onClick={() => setValue(text)}>
              Reset
            </Button>
          )}
          {replaced === undefined || replaced.id === id ? null : (
            <span className="text-sm text-wait">
              It has the id of “{showControls(replaced.name)}” and becomes its version {replaced.version + 1}.
            </span>
          )}
          {isFine ? (
            <span role="status" className="text-sm text-good">
              It is valid.
            </span>
          ) : null}
        </div>
      </div>
    </Panel>
  );
}

/** The text while it is written, kept until it is saved or reset, and what the server says of it. */
function usePipelineText(id: string, text: string) {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const [kept, keep] = useDraft(`pipeline.${id}`);
  const value = kept === '' ? text : kept;
  const setValue = (next: string) => keep(next === text ? '' : next);
  const [problem, setProblem] = useState<string | null>(null);
  const [isFine, setFine] = useState(false);
  const { busy, error, run } = useCommand();
  const read = (): unknown => {
    setFine(false);
    try {
      setProblem(null);
      return JSON.parse(value);
    } catch (error_) {
      setProblem(`This is not valid JSON: ${error_ instanceof Error ? error_.message : 'it can’t be read'}`);
      return undefined;
    }
  };
  const check = async () => {
    const given = read();
    if (given !== undefined) setFine((await run(() => api.pipelines.validate(given))) !== null);
  };
  const save = async () => {
    const given = read();
    await sendHeld();
    const saved = given === undefined ? null : await run(() => api.pipelines.save(given));
    if (saved === null) return;
    keep('');
    await cache.invalidateQueries({ queryKey: ['pipelines'] });
    toast(showControls(`Saved ${saved.name}, version ${saved.version}`));
    navigate(`/pipelines/${saved.id}`);
  };
  return { value, setValue, problem, isFine, busy, error, check, save };
}

function Problems({ problem, error }: { readonly problem: string | null; readonly error: Failure | null }) {
  const text = problem ?? error?.message ?? null;
  if (text === null) return null;
  return (
    <p role="alert" className="text-sm whitespace-pre-wrap text-bad">
      {showControls(text)}
    </p>
  );
}

function ImportButton({ onRead }: { readonly onRead: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>Import a file</Button>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label="Import a file"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          void event.target.files?.[0]?.text().then(onRead);
          // The same file may be read again.
          event.target.value = '';
        }}
      />
    </>
  );
}
