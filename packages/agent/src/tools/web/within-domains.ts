import type { Judgement, Policy, PolicyCall } from '@attractor/policy';
import { whatACallTouches } from '@attractor/tool-table';
import { type Host, type HostRule, matchesRule, parseHost, parseHostRule } from '@attractor/confine';

/** The domains of the sandbox. `commands`: whether commands are restricted to them here; a person can waive that. */
export type DomainLimits = {
  readonly allowedDomains?: ReadonlyArray<string>;
  readonly deniedDomains?: ReadonlyArray<string>;
  readonly commands: 'confined' | 'free';
};

/**
 * Applies the limits of commands to pages. A denied domain is denied in every mode. A page that commands can't reach is not read without
 * asking, unless a person's rule allows its domain, or there is no list and the page was named in the conversation.
 */
export function withinDomains(policy: Policy, limits: DomainLimits): Policy {
  const reach = reachOf(limits);
  return {
    ...policy,
    judge: async (call) => limited(await policy.judge(call), { call, policy, reach }),
    withMode: (mode) => withinDomains(policy.withMode(mode), limits),
    withRules: (rules) => withinDomains(policy.withRules(rules), limits),
    at: (place) => withinDomains(policy.at(place), limits),
    subsetFor: (child) => withinDomains(policy.subsetFor(child), limits),
  };
}

type Reach = {
  readonly isDenied: (host: Host) => boolean;
  readonly isAllowed: (host: Host) => boolean;
  readonly hasList: boolean;
};

/** As for commands: a rule that can't be parsed allows nothing, and among the denied ones denies everything. */
function reachOf({ allowedDomains = [], deniedDomains = [], commands }: DomainLimits): Reach {
  const allowed = allowedDomains.map(parseHostRule).filter((rule) => rule !== null);
  const denied = deniedDomains.map(parseHostRule);
  const covers = (host: Host) => (rule: HostRule | null) =>
    rule === null || matchesRule(host, { ...rule, port: host.port });
  return {
    isDenied: (host) => denied.some(covers(host)),
    isAllowed: (host) => commands === 'free' || allowed.some((rule) => matchesRule(host, rule)),
    hasList: allowedDomains.length > 0,
  };
}

type Judged = { readonly call: PolicyCall; readonly policy: Policy; readonly reach: Reach };

function limited(judgement: Judgement, { call, policy, reach }: Judged): Judgement {
  const touch = whatACallTouches(call);
  const host = touch.kind === 'url' ? hostOf(touch.url) : null;
  if (touch.kind !== 'url' || host === null || judgement.decision === 'deny') return judgement;
  const part = touch.url;
  if (reach.isDenied(host))
    return { decision: 'deny', reason: `${host.name} is denied by sandbox.network.deniedDomains`, part };
  const isNamed = call.isMentioned === true && !reach.hasList;
  if (judgement.decision === 'ask' || judgement.rule !== undefined || isNamed || reach.isAllowed(host))
    return judgement;
  const suggestion = `WebFetch(domain:${host.name})`;
  const reason = `${host.name} is not among the domains that commands may reach (sandbox.network.allowedDomains)`;
  if (policy.mode === 'dontAsk')
    return { decision: 'deny', reason: `${reason}, and the mode dontAsk asks nobody`, part, suggestion };
  return { decision: 'ask', reason, part, suggestion, needs: [suggestion] };
}

const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Null: not a web address; the policy asks about those by itself. */
function hostOf(text: string): Host | null {
  const url = URL.parse(text);
  return url === null ? null : parseHost(url.host, PORTS[url.protocol]);
}
