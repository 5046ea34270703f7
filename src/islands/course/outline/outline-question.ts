/** A question that a window asks. */
export type OutlineQuestion =
  | { ask: 'lesson' | 'module'; id: string }
  | { ask: 'move' | 'rule'; ids: string[] }
  | { ask: 'copy' | 'run' }
