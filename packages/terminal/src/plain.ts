export { runPlainApp, type PlainAppOptions } from './app/plain-app.ts';
