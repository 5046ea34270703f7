/** What moves; without it the outline stands still. All of it keeps its identity while the outline lives. */
export interface OutlineHandlers {
  onChoose: (lessonId: string, options: { range: boolean }) => void
  /** Shift and a click on a title choose up to it; answers whether that was meant. */
  onOpen: (lessonId: string, shift: boolean) => boolean
  onMenu: (kind: 'lesson' | 'module' | 'course', id: string, anchor: Element | { x: number; y: number }) => void
  onRenamed: (kind: 'lesson' | 'module', id: string, title: string | null) => void
  onFold: (moduleId: string) => void
  onAdd: (moduleId: string, titles: string[]) => Promise<boolean>
  onAddModule: (title: string) => Promise<boolean>
}
