export { edited, isPossible, rewound, type Edit, type ModelMoment, type Tree } from '../test-support/model.ts';
export { contents, initRepository, open, repositoryBytes, runs, valueOf } from '../test-support/workspace.ts';
