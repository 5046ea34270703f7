import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { OutlineList } from './OutlineList.tsx'
import type { OutlineProps } from './outline-view.ts'

/** The outline as the page brings it: links, forms, and a button by each row that leads to its acts. */
export function StaticOutline(props: OutlineProps) {
  const { strings, locale, zone, modules } = props
  const context = { t: createTranslator(strings, locale), zone, locale }
  return <OutlineList {...props} context={context} modules={modules} handlers={null} />
}
