export const FAST_START: boolean;
