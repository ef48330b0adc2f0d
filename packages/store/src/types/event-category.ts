export const EVENT_CATEGORIES = [
  'lifecycle',
  'transition',
  'agent',
  'payload',
  'guard',
  'hook',
  'edit',
  'dependency',
  'note',
  'git',
  'error',
] as const;

export type EventCategory = (typeof EVENT_CATEGORIES)[number];

export const EVENT_LEVELS = ['debug', 'info', 'warning', 'error'] as const;

export type EventLevel = (typeof EVENT_LEVELS)[number];
