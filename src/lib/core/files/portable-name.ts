import { trimEndOf } from '../shared/text/trim-end.ts'

/** A file name valid on all systems: no path characters, no dots or spaces at the end; `_` when nothing is left. */
export function portableFileName(name: string): string {
  return trimEndOf(name.replace(/[<>:"/\\|?*\p{Cc}]/gu, '_'), '. ') || '_'
}
