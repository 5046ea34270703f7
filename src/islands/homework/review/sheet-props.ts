import type { DeskProps, DeskWords } from './desk-work.ts'

export interface SheetProps extends DeskProps {
  words: DeskWords
  onShow: (id: string | null) => Promise<void> | void
}
