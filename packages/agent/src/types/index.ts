export * from './environment.ts';
export * from './event.ts';
export * from './profile.ts';
export * from './session.ts';
export * from './tool.ts';
export * from './turn.ts';
