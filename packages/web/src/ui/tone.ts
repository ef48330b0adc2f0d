/** A colour means a state, and never alone: each comes with an icon and a word. */
export type Tone = 'idle' | 'work' | 'wait' | 'look' | 'good' | 'bad';

export const TONE_TEXT: Readonly<Record<Tone, string>> = {
  idle: 'text-idle',
  work: 'text-work',
  wait: 'text-wait',
  look: 'text-look',
  good: 'text-good',
  bad: 'text-bad',
};

export const TONE_WELL: Readonly<Record<Tone, string>> = {
  idle: 'bg-idle-well text-idle',
  work: 'bg-work-well text-work',
  wait: 'bg-wait-well text-wait',
  look: 'bg-look-well text-look',
  good: 'bg-good-well text-good',
  bad: 'bg-bad-well text-bad',
};

export const TONE_FILL: Readonly<Record<Tone, string>> = {
  idle: 'bg-edge',
  work: 'bg-work',
  wait: 'bg-wait',
  look: 'bg-look',
  good: 'bg-good',
  bad: 'bg-bad',
};
