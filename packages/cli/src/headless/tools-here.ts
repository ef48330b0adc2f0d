import type { AgentDefinition } from '@attractor/settings';
import {
  BUILT_IN_AGENTS,
  createBackgroundShells,
  createProfile,
  profileFor,
  type ProviderProfile,
  type ToolPorts,
} from '@attractor/agent';
import { type HeldSession, shellsFolder } from '@attractor/journal';
import type { FilesHere } from './files-here.ts';
import type { HeadlessFlags } from './flags.ts';

type Here = {
  readonly flags: Pick<HeadlessFlags, 'profile' | 'permissionMode'>;
  readonly provider: string;
  readonly model: string | undefined;
  readonly place: HeldSession;
  readonly files: Pick<FilesHere, 'ports' | 'agents'>;
};

/** What the model of a headless run can do besides what servers bring, and what that keeps while the run lives. */
export type ToolsHere = {
  readonly profile: ProviderProfile;
  /** A session that was left may have been switched between families of models before. */
  readonly profiles: ReadonlyArray<ProviderProfile>;
  readonly agents: ReadonlyArray<AgentDefinition>;
  /** The plan that answers the last prompt; null: none was presented. */
  readonly plan: () => string | null;
  readonly forgetPlan: () => void;
  /** Ends the commands in the background. */
  readonly end: () => Promise<void>;
};

const FAMILIES = ['anthropic', 'openai', 'gemini'] as const;

/** There is no service for searching the web here, so that is not offered. */
export function toolsHere({ flags, provider, model, place, files }: Here): ToolsHere {
  const background = createBackgroundShells({ folder: shellsFolder(place) });
  let plan: string | null = null;
  const ports: ToolPorts = {
    // Every call brings the conversation that it is made in.
    history: () => [],
    background,
    web: {},
    ...files.ports,
    ...(flags.permissionMode === 'plan'
      ? {
          approvePlan: async (presented) => {
            plan = presented;
            return { approved: 'later', message: NOBODY_APPROVES };
          },
        }
      : {}),
  };
  return {
    profile:
      flags.profile === undefined
        ? profileFor(provider, model, { ports })
        : createProfile({ id: flags.profile, ports }),
    profiles: place.isNew ? [] : FAMILIES.map((id) => createProfile({ id, ports })),
    agents: [...BUILT_IN_AGENTS, ...files.agents],
    plan: () => plan,
    forgetPlan: () => {
      plan = null;
    },
    end: background.end,
  };
}

const NOBODY_APPROVES =
  'A person must approve the plan, and nobody is here: it is the result of this run, and the work begins when a person says so in another one. End now, and do not repeat the plan.';
