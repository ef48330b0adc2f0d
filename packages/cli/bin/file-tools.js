#!/usr/bin/env node
// `file-tools …` is `attractor file-tools …`.
process.argv.splice(2, 0, 'file-tools');
await import('./attractor.js');
