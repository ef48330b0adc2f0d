export type { AgentPort } from './converse/agent-port.ts';
export { ttyOfProcess } from './app/process-tty.ts';
export type { Start } from './app/start.ts';
export { runTerminalApp } from './app/terminal-app.ts';
