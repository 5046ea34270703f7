/** A question that a window asks. */
export type OutlineDialogRequest =
  | { kind: 'lesson' | 'module'; id: string }
  | { kind: 'move' | 'rule'; ids: string[] }
  | { kind: 'copy' | 'run' }
