/** Event handlers; null in the static outline. Their identity is stable. */
export interface OutlineHandlers {
  onChoose: (lessonId: string, options: { range: boolean }) => void
  /** Shift+click on a title selects a range; returns whether the click was handled. */
  onOpen: (lessonId: string, shift: boolean) => boolean
  onMenu: (kind: 'lesson' | 'module' | 'course', id: string, anchor: Element | { x: number; y: number }) => void
  onRenamed: (kind: 'lesson' | 'module', id: string, title: string | null) => void
  onFold: (moduleId: string) => void
  onAdd: (moduleId: string, titles: string[]) => Promise<boolean>
  onAddModule: (title: string) => Promise<boolean>
}
