export { splitFile, type FileLine, type FileText } from '../file-lines.ts';
