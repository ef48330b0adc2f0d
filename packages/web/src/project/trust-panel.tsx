import type { ConfigExamination } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { ChevronRight, ShieldAlert, ShieldCheck } from 'lucide-react';
import { useAnswer } from '../data/answers.ts';
import { api } from '../data/api.ts';
import { useMay, whoMay } from '../data/role.tsx';
import { Button } from '../ui/button.tsx';
import { keyed } from '../ui/keyed.ts';
import { Loading, LoadFailed, Refused } from '../ui/notice.tsx';
import { showControls, typeset } from '@attractor/api/shown';
import { toast } from '../ui/toast.tsx';
import { useCommand } from '../ui/use-command.ts';

const NOTHING = 'There is nothing to trust: the repository says nothing about agents.';

const STATES: Readonly<Record<ConfigExamination['state'], string>> = {
  trusted: 'Trusted as it is now. Any change ends the trust.',
  unknown: 'Nobody has trusted it yet: only what it forbids has effect.',
  changed: 'It has changed since it was trusted: it has no effect until somebody reviews the change.',
};

/** What the repository would run or permit, and the one button that lets it. */
export function TrustPanel({ projectId, isNext = false }: { readonly projectId: string; readonly isNext?: boolean }) {
  const may = useMay('admin');
  const found = useAnswer(['trust', projectId], () => api.projects.examine(projectId), { enabled: may });
  if (!may) return <p className="text-sm text-faint">{whoMay('admin', 'look at and trust what a repository says')}</p>;
  if (found.state === 'loading') return <Loading lines={2} />;
  if (found.state === 'failed') return <LoadFailed error={found.error} again={found.again} />;
  return <Examined projectId={projectId} found={found.value} isNext={isNext} />;
}

type ExaminedProps = { readonly projectId: string; readonly found: ConfigExamination; readonly isNext: boolean };

function Examined({ projectId, found, isNext }: ExaminedProps) {
  const { state, files, difference, problems } = found;
  const isTrusted = state === 'trusted' || files.length === 0;
  const Icon = isTrusted ? ShieldCheck : ShieldAlert;
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p className={`flex items-start gap-2 ${isTrusted ? '' : 'text-wait'}`}>
        <Icon size={16} aria-hidden className="mt-0.5 shrink-0" />
        {files.length === 0 ? NOTHING : STATES[state]}
      </p>
      {problems.map((problem) => (
        <p key={problem} className="break-words text-bad">
          {showControls(problem)}
        </p>
      ))}
      {difference.length > 0 ? <Difference difference={difference} /> : <Files files={files} isOpen={!isTrusted} />}
      {isTrusted || problems.length > 0 ? null : (
        <TrustButton projectId={projectId} hash={found.hash} isNext={isNext} />
      )}
      {state === 'trusted' && files.length > 0 ? <RevokeButton projectId={projectId} hash={found.hash} /> : null}
    </div>
  );
}

type TrustProps = { readonly projectId: string; readonly hash: string };

function RevokeButton({ projectId, hash }: TrustProps) {
  const cache = useQueryClient();
  const { busy, error, run } = useCommand();
  const look = () => {
    for (const key of ['trust', 'run-config']) void cache.invalidateQueries({ queryKey: [key, projectId] });
  };
  const trustAgain = async () => {
    const trusted = await api.projects.trust(projectId, hash);
    look();
    if (!trusted.ok) toast(typeset(trusted.error.message), { isBad: true });
  };
  const revoke = async () => {
    const revoked = await run(() => api.projects.revokeTrust(projectId));
    look();
    if (revoked === null) return;
    toast('The settings of the repository no longer count', { undo: () => void trustAgain() });
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button isBusy={busy} onClick={() => void revoke()}>
        Revoke the trust
      </Button>
      <Refused error={error} />
    </div>
  );
}

function TrustButton({ projectId, hash, isNext }: TrustProps & { readonly isNext: boolean }) {
  const cache = useQueryClient();
  const { busy, error, run } = useCommand();
  const trust = async () => {
    const trusted = await run(() => api.projects.trust(projectId, hash));
    for (const key of ['trust', 'run-config']) void cache.invalidateQueries({ queryKey: [key, projectId] });
    if (trusted !== null) toast('The settings of the repository count now');
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button kind={isNext ? 'primary' : 'plain'} isBusy={busy} onClick={() => void trust()}>
        Trust exactly this
      </Button>
      <code className="font-mono text-faint" title={hash}>
        {hash.slice(0, 12)}
      </code>
      <Refused error={error} />
    </div>
  );
}

type FilesProps = { readonly files: ConfigExamination['files']; readonly isOpen: boolean };

function Files({ files, isOpen }: FilesProps) {
  return files.map(({ path, content }) => (
    <details key={path} open={isOpen && files.length <= OPENED} className="group rounded-md border border-line">
      <summary className="flex min-h-control items-center gap-2 px-3 font-mono wrap-anywhere hover:bg-well">
        <ChevronRight size={13} aria-hidden className="shrink-0 text-faint group-open:rotate-90" />
        {showControls(path)}
      </summary>
      <pre className="max-h-80 overflow-auto border-t border-line bg-well px-3 py-2 font-mono whitespace-pre-wrap">
        {showControls(content)}
      </pre>
    </details>
  ));
}

/** More than these are opened one by one. */
const OPENED = 3;

const LINES = { '+': 'bg-good-well', '-': 'bg-bad-well' } as const;

function Difference({ difference }: Pick<ConfigExamination, 'difference'>) {
  return difference.map(({ path, change, lines }) => (
    <section key={path} aria-label={showControls(path)} className="overflow-hidden rounded-md border border-line">
      <p className="min-h-8 px-3 py-1.5 font-mono wrap-anywhere">
        {showControls(path)} <span className="font-sans text-faint">{change}</span>
      </p>
      <pre className="max-h-80 overflow-auto border-t border-line font-mono">
        {keyed(lines).map(({ key, item: line }) => (
          <span key={key} className={`block px-3 whitespace-pre-wrap ${LINES[line[0] as '+' | '-'] ?? ''}`}>
            {showControls(line)}
          </span>
        ))}
      </pre>
    </section>
  ));
}
