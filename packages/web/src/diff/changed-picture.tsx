import type { FileDiff } from '@attractor/api';
import { useEffect, useRef, useState } from 'react';
import { useAnswer } from '../data/answers.ts';
import { api } from '../data/api.ts';
import { Loading } from '../ui/notice.tsx';
import { showControls, typeset } from '@attractor/api/shown';

type Side = 'before' | 'after';

type ChangedPictureProps = { readonly taskId: string; readonly file: FileDiff };

/** A picture before and after the change. */
export function ChangedPicture({ taskId, file }: ChangedPictureProps) {
  const isThere = { before: file.status !== 'added', after: file.status !== 'removed' };
  return (
    <div className="grid gap-4 p-4 sm:grid-cols-2">
      {isThere.before ? <PictureSide taskId={taskId} path={file.movedFrom ?? file.path} side="before" /> : null}
      {isThere.after ? <PictureSide taskId={taskId} path={file.path} side="after" /> : null}
    </div>
  );
}

type PictureSideProps = { readonly taskId: string; readonly path: string; readonly side: Side };

function PictureSide({ taskId, path, side }: PictureSideProps) {
  const picture = useAnswer(['diff', taskId, 'picture', side, path], () =>
    api.branches.picture(taskId, { path, side }),
  );
  if (picture.state === 'loading') return <Loading lines={3} />;
  if (picture.state === 'failed') return <p className="text-sm text-soft">{typeset(picture.error.message)}</p>;
  return <Drawn name={`${showControls(path)} ${side} the change`} side={side} {...picture.value} />;
}

const FRAMES = { before: 'border-bad', after: 'border-good' } as const;

type DrawnProps = {
  readonly name: string;
  readonly side: Side;
  readonly mediaType: string;
  readonly base64: string;
};

/** Drawn as points: the page loads no picture from anywhere, and nothing in the file can do more than be seen. */
function Drawn({ name, side, mediaType, base64 }: DrawnProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState('');
  useEffect(() => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    void createImageBitmap(new Blob([bytes], { type: mediaType })).then(
      (points) => {
        if (canvas.current === null) return;
        Object.assign(canvas.current, { width: points.width, height: points.height });
        canvas.current.getContext('2d')?.drawImage(points, 0, 0);
        setSize(`${points.width} × ${points.height}`);
      },
      () => setSize('it could not be read'),
    );
  }, [base64, mediaType]);
  return (
    <figure className="min-w-0">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${name}, ${size}`}
        className={`max-h-96 max-w-full rounded border object-contain ${FRAMES[side]}`}
      />
      <figcaption className="mt-1 text-sm text-soft">
        {side === 'before' ? 'Before' : 'After'}: {size}, {Math.ceil((base64.length * 3) / 4 / 1024).toLocaleString()}{' '}
        KB
      </figcaption>
    </figure>
  );
}
