import type { RefusedRoute } from './judge-host.ts';

/** Connections that the proxy refused, by the command they were refused to. */
export type Refusals = {
  readonly add: (route: RefusedRoute) => void;
  /** From the command's start to `end`. */
  readonly follow: () => FollowedRefusals;
};

export type FollowedRefusals = {
  /** What was refused while no other command ran, and otherwise what `mentions` says that it was about. */
  readonly told: (mentions: (host: string) => boolean) => ReadonlyArray<RefusedRoute>;
  readonly end: () => void;
};

type Followed = { readonly route: RefusedRoute; readonly alone: boolean };

const MOST = 100;

/** All commands share one proxy, which does not know whom it answers. */
export function createRefusals(): Refusals {
  const running = new Set<Followed[]>();
  return {
    add: (route) => {
      for (const list of running) if (list.length < MOST) list.push({ route, alone: running.size === 1 });
    },
    follow: () => {
      const list: Followed[] = [];
      running.add(list);
      return {
        told: (mentions) =>
          list.flatMap(({ route, alone }) => (alone || mentions(route.host?.name ?? '') ? [route] : [])),
        end: () => void running.delete(list),
      };
    },
  };
}
