#!/usr/bin/env node
// `agent-executor …` is `attractor exec …`.
process.argv.splice(2, 0, 'exec');
await import('./attractor.js');
