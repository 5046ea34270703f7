import type { DeskProps, DeskWords } from './reviewed-submission.ts'

export interface SheetProps extends DeskProps {
  words: DeskWords
  onShow: (id: string | null) => Promise<void> | void
}
