import type { ChildRights, Policy } from './policy.ts';
import type { PermissionMode, PermissionRule } from './types.ts';

/**
 * The current policy of a session and its children. If the policy changed while a call was judged, it is judged again. A child's policy is
 * its parent's of that moment, restricted further: what the parent loses the child loses too, and what a person allows a child permanently
 * is allowed to the parent, so no child ever has more.
 */
export type LivePolicy = {
  readonly current: () => Policy;
  readonly setMode: (mode: PermissionMode) => void;
  readonly addRules: (rules: ReadonlyArray<PermissionRule>) => void;
  /** Rules of a program that drives the session, in place of those that it gave before; asked for by the mode of the moment. */
  readonly give: (rules: GivenRules) => void;
  readonly childOf: (child: ChildRights) => LivePolicy;
};

export type GivenRules = (mode: PermissionMode) => ReadonlyArray<PermissionRule>;

/** The only place of a session in which its policy may change. */
export function livePolicy(initial: Policy): LivePolicy {
  let own = initial;
  let given: GivenRules = () => [];
  let policy = initial;
  const become = (next: Policy): void => {
    own = next;
    const rules = given(own.mode);
    policy = rules.length === 0 ? own : own.withRules(rules);
  };
  const self: LivePolicy = {
    current: () => policy,
    setMode: (mode) => become(own.withMode(mode)),
    addRules: (rules) => become(own.withRules(rules)),
    give: (rules) => {
      given = rules;
      become(own);
    },
    childOf: (child) => liveChild(self, child),
  };
  return self;
}

function liveChild(parent: LivePolicy, rights: ChildRights): LivePolicy {
  let mode = rights.mode;
  let made: { readonly from: Policy; readonly mode: PermissionMode | undefined; readonly policy: Policy } | null = null;
  const self: LivePolicy = {
    current: () => {
      const from = parent.current();
      if (made === null || made.from !== from || made.mode !== mode) {
        const { mode: _first, ...rest } = rights;
        made = { from, mode, policy: from.subsetFor(mode === undefined ? rest : { ...rest, mode }) };
      }
      return made.policy;
    },
    setMode: (next) => {
      mode = next;
    },
    addRules: parent.addRules,
    give: parent.give,
    childOf: (child) => liveChild(self, child),
  };
  return self;
}
