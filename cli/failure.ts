// How the command ends when it cannot do its work. Both kinds print one
// sentence on standard error.

/** Wrong use of the command itself: exit code 2. */
export class UsageError extends Error {}

/** Data that cannot be read, reduced or written: exit code 1. */
export class DataError extends Error {}

/** What Node.js's file errors mean, in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const words: Record<string, string> = {
    ENOENT: 'there is no such file or folder', EACCES: 'permission denied', EPERM: 'permission denied',
    EISDIR: 'it is a folder', ENOTDIR: 'part of its path is not a folder', ENOSPC: 'the disk is full',
    EROFS: 'the file system is read-only', EMFILE: 'too many files are open', ENAMETOOLONG: 'its name is too long',
    EFBIG: 'the file would be too big', EIO: 'the disk failed',
    ELOOP: 'its links lead in a circle', ENXIO: 'there is no such device', ETXTBSY: 'it is being run',
  };
  return words[code ?? ''] ?? message;
}
