/** Whether the command is built to start fast. `false` builds it from the libraries' own code: see README.md in this folder. */
export const FAST_START = true;
