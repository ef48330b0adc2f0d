import type { FileDiff } from '@attractor/api';
import { showControls } from '@attractor/api/shown';
import { fileId } from './file-id.ts';

type FileTreeProps = {
  readonly files: ReadonlyArray<FileDiff>;
  readonly isViewed: (file: FileDiff) => boolean;
  /** Each under its whole name, where there is little room. */
  readonly isFlat?: boolean;
  readonly className?: string;
};

/** Files under their folders; a click goes to the file. */
export function FileTree({ files, isViewed, isFlat = false, className = '' }: FileTreeProps) {
  const folderOf = isFlat ? () => '' : folderIn;
  const folders = [...new Set(files.map(({ path }) => folderOf(path)))].toSorted();
  return (
    <nav aria-label="Changed files" className={`rounded-lg border border-line bg-panel p-2 text-sm ${className}`}>
      {folders.map((folder) => (
        <div key={folder}>
          {folder === '' ? null : (
            <p title={showControls(folder)} className="truncate px-2 py-1 text-faint">
              {showControls(folder)}
            </p>
          )}
          <ul>
            {files
              .filter(({ path }) => folderOf(path) === folder)
              .map((file) => (
                <li key={file.path}>
                  <TreeFile file={file} name={file.path.slice(folder.length)} isViewed={isViewed(file)} />
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

type TreeFileProps = { readonly file: FileDiff; readonly name: string; readonly isViewed: boolean };

function TreeFile({ file, name, isViewed }: TreeFileProps) {
  return (
    <a
      href={`#${fileId(file.path)}`}
      className={`flex min-h-option items-center gap-2 rounded pr-2 hover:bg-well ${name === file.path ? 'pl-2' : 'pl-5'} ${isViewed ? 'text-faint' : ''}`}
    >
      <span title={showControls(file.path)} className={`min-w-0 flex-1 truncate ${isViewed ? 'line-through' : ''}`}>
        {showControls(name)}
      </span>
      <span className="text-good tabular-nums">+{file.additions}</span>
      <span className="text-bad tabular-nums">−{file.deletions}</span>
    </a>
  );
}

function folderIn(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
