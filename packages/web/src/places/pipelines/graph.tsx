import type { PipelineDefinition } from '@attractor/api';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { BOX, layOut, type PlacedStatus, type TaskPath } from '@attractor/api/shown';

type GraphProps = { readonly pipeline: PipelineDefinition; readonly path: TaskPath | null };

/** A little smaller it fits a narrow window; smaller than that its words could not be read. */
const SMALLEST = 0.88;

/** The pipeline as a picture; with a task, where that was and for how long. */
export function Graph({ pipeline, path }: GraphProps) {
  const { width, height, statuses, edges } = layOut(pipeline);
  const frame = useScrolledTo(statuses.find(({ status }) => status.id === path?.current)?.x);
  return (
    <div
      ref={frame}
      className="overflow-x-auto rounded-lg border border-line bg-panel p-3 xl:p-6"
      tabIndex={0}
      role="region"
      aria-label={`Graph of ${pipeline.name}`}
    >
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        style={{ minWidth: width * SMALLEST }}
        className="mx-auto block h-auto max-w-full"
        role="list"
        aria-label="Statuses"
      >
        <Tip id="way" className="fill-edge-strong" />
        <Tip id="way-taken" className="fill-ink" />
        {edges.map((edge) => (
          <Way key={edge.key} edge={edge} isTaken={path?.moves.has(`${edge.from} ${edge.to}`) === true} />
        ))}
        {statuses.map((placed) => (
          <Box key={placed.status.id} placed={placed} path={path} />
        ))}
      </svg>
    </div>
  );
}

type BoxProps = { readonly placed: PlacedStatus; readonly path: TaskPath | null };

/** A status; with a task, whether that was there and for how long. */
function Box({ placed: { status, x, y }, path }: BoxProps) {
  const visit = path?.visits.get(status.id);
  const isHere = path?.current === status.id;
  const words = visit === undefined ? '' : `${visit.shown}${visit.count > 1 ? `, ${visit.count}×` : ''}`;
  const told = words.replace(/×$/, ' times');
  return (
    <g
      role="listitem"
      aria-label={`${status.label}${told === '' ? '' : `: ${told}`}`}
      transform={`translate(${x} ${y})`}
    >
      <rect
        width={BOX.width}
        height={BOX.height}
        rx="8"
        strokeWidth={isHere ? 2.5 : 1}
        strokeDasharray={path !== null && visit === undefined ? '4 3' : undefined}
        className={`${visit === undefined ? 'fill-raised' : 'fill-idle-well'} ${isHere ? 'stroke-ink' : 'stroke-edge'}`}
      />
      <text x={BOX.width / 2} y={words === '' ? 27 : 19} textAnchor="middle" className="fill-ink text-sm font-medium">
        {status.label.length > 14 ? `${status.label.slice(0, 12)}…` : status.label}
      </text>
      {words === '' ? null : (
        <text x={BOX.width / 2} y={36} textAnchor="middle" className="fill-soft text-sm">
          {words}
        </text>
      )}
    </g>
  );
}

/** Wider than a phone: where the task is, is seen first. */
function useScrolledTo(x: number | undefined): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const own = frame.current;
    if (own !== null && x !== undefined) own.scrollLeft = x + BOX.width / 2 - own.clientWidth / 2;
  }, [x]);
  return frame;
}

type WayProps = { readonly edge: ReturnType<typeof layOut>['edges'][number]; readonly isTaken: boolean };

function Way({ edge, isTaken }: WayProps) {
  return (
    <path
      d={edge.path}
      fill="none"
      strokeWidth={isTaken ? 2.5 : 1.25}
      markerEnd={isTaken ? 'url(#way-taken)' : 'url(#way)'}
      className={isTaken ? 'stroke-ink' : 'stroke-edge-strong'}
    >
      <title>{edge.label}</title>
    </path>
  );
}

/** Says which way an edge leads. */
function Tip({ id, className }: { readonly id: string; readonly className: string }) {
  return (
    <marker
      id={id}
      viewBox="0 0 8 8"
      refX="7"
      refY="4"
      markerWidth="8"
      markerHeight="8"
      markerUnits="userSpaceOnUse"
      orient="auto"
    >
      <path d="M0 0.5 L8 4 L0 7.5 Z" className={className} />
    </marker>
  );
}
