import type { PipelineDefinition, PipelineStatus } from '@attractor/platform';
import { isDetour } from './main-path.ts';

export type PlacedStatus = { readonly status: PipelineStatus; readonly x: number; readonly y: number };

export type PlacedEdge = {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly path: string;
};

export type GraphLayout = {
  readonly width: number;
  readonly height: number;
  readonly statuses: ReadonlyArray<PlacedStatus>;
  readonly edges: ReadonlyArray<PlacedEdge>;
};

/** Seven of them stand beside each other in a window of 1024 px, in words that can be read. */
export const BOX = { width: 104, height: 44 } as const;
const GAP = { x: 14, y: 72 } as const;
/** Around all boxes, also for an outline that is thicker. */
const MARGIN = 2;

/** The way to the end in one row, from left to right; what leaves it stands below, in a row of its own. */
export function layOut(pipeline: PipelineDefinition): GraphLayout {
  const ordered = pipeline.statuses.toSorted((a, b) => a.position - b.position);
  const rows = [ordered.filter((one) => !isDetour(pipeline, one)), ordered.filter((one) => isDetour(pipeline, one))];
  const { above, below } = roomAround(pipeline, rows);
  const placed = rows.flatMap((row, at) => {
    const indent = at === 0 ? 0 : Math.max(0, (rows[0]?.length ?? 0) - row.length) / 2;
    return row.map((status, column) => ({
      status,
      x: Math.round((column + indent) * (BOX.width + GAP.x)) + MARGIN,
      y: above + at * (BOX.height + GAP.y),
    }));
  });
  const at = new Map(placed.map((one) => [one.status.id, one]));
  const edges = pipeline.transitions.flatMap(({ id, from, to, label }) => {
    const [start, end] = [at.get(from), at.get(to)];
    return start === undefined || end === undefined ? [] : [{ key: id, from, to, label, path: curve(start, end) }];
  });
  const width = Math.max(...rows.map((row) => row.length)) * (BOX.width + GAP.x) - GAP.x + 2 * MARGIN;
  const shown = rows.filter((row) => row.length > 0).length;
  return {
    width,
    height: above + below + shown * BOX.height + (shown - 1) * GAP.y,
    statuses: placed,
    edges,
  };
}

/** Over the first row for the ways that pass boxes, under the last one for those that lead back in it. */
function roomAround(
  { transitions }: PipelineDefinition,
  rows: ReadonlyArray<ReadonlyArray<PipelineStatus>>,
): { readonly above: number; readonly below: number } {
  const highest = (row: ReadonlyArray<PipelineStatus> = [], isOver: boolean) => {
    const at = new Map(row.map(({ id }, index) => [id, index]));
    const passed = transitions.flatMap(({ from, to }) => {
      const distance = (at.get(to) ?? Number.NaN) - (at.get(from) ?? Number.NaN);
      return isOver ? (distance > 1 ? [distance] : []) : distance < 0 ? [-distance] : [];
    });
    return passed.length === 0 ? 0 : BEND_SHARE * bendOf(Math.max(...passed));
  };
  const last = rows.findLast((row) => row.length > 0);
  return { above: MARGIN + highest(rows[0], true), below: MARGIN + highest(last, false) };
}

/** How far the handles of a curve are away, and how far it itself gets of that. */
const BEND_SHARE = 0.75;

function bendOf(distance: number): number {
  return Math.min(88, 16 + Math.abs(distance) * 14);
}

/** Neighbours side to side; further on over the boxes, back under them, and from row to row through the gap. */
function curve(start: PlacedStatus, end: PlacedStatus): string {
  const [middle, half] = [BOX.width / 2, BOX.height / 2];
  if (start.y !== end.y) {
    const isDown = end.y > start.y;
    const [x1, x2] = [start.x + middle - 10, end.x + middle + 10];
    const [y1, y2] = isDown ? [start.y + BOX.height, end.y] : [start.y, end.y + BOX.height];
    const between = (y1 + y2) / 2;
    return `M${x1} ${y1} C${x1} ${between} ${x2} ${between} ${x2} ${y2}`;
  }
  const distance = (end.x - start.x) / (BOX.width + GAP.x);
  if (Math.abs(distance - 1) < 0.01) return `M${start.x + BOX.width} ${start.y + half} L${end.x} ${end.y + half}`;
  const isOver = distance > 0;
  const edge = isOver ? start.y : start.y + BOX.height;
  const height = isOver ? edge - bendOf(distance) : edge + bendOf(distance);
  const [x1, x2] = [start.x + middle + 18, end.x + middle - 18];
  return `M${x1} ${edge} C${x1} ${height} ${x2} ${height} ${x2} ${edge}`;
}
