import type { SessionConfigOption, SessionMode, SessionModeState } from '@agentclientprotocol/sdk/unstable';
import type { ReasoningEffort } from '@attractor/llm';
import type { PermissionMode } from '@attractor/policy';
import type { FolderAgent } from '../host.ts';

/** What a person changes while they talk. Null effort: the provider's own. */
export type Choices = {
  readonly mode: PermissionMode;
  readonly model: string;
  readonly effort: ReasoningEffort | null;
};

type Mode = SessionMode & { readonly id: PermissionMode };

const MODES: ReadonlyArray<Mode> = [
  { id: 'default', name: 'Ask', description: 'Asks before changes and commands' },
  { id: 'acceptEdits', name: 'Accept edits', description: 'Edits files of the project without asking' },
  { id: 'plan', name: 'Plan', description: 'Only reads, and presents a plan' },
];

/** A mode that a person's settings begin with is offered too, whatever it is. */
function modesOf(agent: FolderAgent): ReadonlyArray<Mode> {
  const isListed = MODES.some(({ id }) => id === agent.mode);
  return isListed ? MODES : [...MODES, { id: agent.mode, name: agent.mode, description: 'From your settings' }];
}

export function modeState(agent: FolderAgent, { mode }: Choices): SessionModeState {
  return { currentModeId: mode, availableModes: [...modesOf(agent)] };
}

const NO_EFFORT = 'default';
const EFFORTS = ['low', 'medium', 'high'] as const;

/** Everything that can be chosen, with what is chosen now. */
export function configOptions(agent: FolderAgent, { mode, model, effort }: Choices): SessionConfigOption[] {
  const isKnown = agent.models.some(({ name }) => name === model);
  const models = [...(isKnown ? [] : [{ name: model, description: model }]), ...agent.models];
  return [
    {
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      type: 'select',
      currentValue: mode,
      options: modesOf(agent).map(({ id, name, description }) => ({ value: id, name, description: description ?? '' })),
    },
    {
      id: 'model',
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: model,
      options: models.map(({ name, description }) => ({ value: name, name: description })),
    },
    {
      id: 'effort',
      name: 'Thinking',
      category: 'thought_level',
      type: 'select',
      currentValue: effort ?? NO_EFFORT,
      options: [NO_EFFORT, ...EFFORTS].map((value) => ({ value, name: value })),
    },
  ];
}

/** The choice that an editor names, or null if there is none such. */
export function choiceOf(agent: FolderAgent, configId: string, value: unknown): Partial<Choices> | null {
  if (configId === 'mode') {
    const mode = modesOf(agent).find(({ id }) => id === value)?.id;
    return mode === undefined ? null : { mode };
  }
  if (configId === 'effort') {
    if (value === NO_EFFORT) return { effort: null };
    const effort = EFFORTS.find((one) => one === value);
    return effort === undefined ? null : { effort };
  }
  return configId === 'model' && typeof value === 'string' && value !== '' ? { model: value } : null;
}
