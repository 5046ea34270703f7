/** A dialog to open. */
export type OutlineDialogRequest =
  | { kind: 'lesson' | 'module'; id: string }
  | { kind: 'move' | 'rule'; ids: string[] }
  | { kind: 'copy' | 'run' }
