export type { AgentPort, Asks, Named, OpenWish, RanCommand } from './converse/agent-port.ts';
export type { Tty } from './app/keyboard.ts';
export type { Start, TerminalAppOptions } from './app/start.ts';
export { runTerminalApp } from './app/terminal-app.ts';
