import { trimEndOf } from '../shared/text/trim-end.ts'

/** A name that every system can unpack: no characters of paths, no dots or spaces at the end; `_` when none is left. */
export function portableFileName(name: string): string {
  return trimEndOf(name.replace(/[<>:"/\\|?*\p{Cc}]/gu, '_'), '. ') || '_'
}
