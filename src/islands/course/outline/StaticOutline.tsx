import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { OutlineList } from './OutlineList.tsx'
import type { OutlineProps } from './outline-view.ts'

/** The outline as server HTML: links, forms, and a button per row that opens its actions. */
export function StaticOutline(props: OutlineProps) {
  const { strings, locale, zone, modules } = props
  const context = { t: createTranslator(strings, locale), zone, locale }
  return <OutlineList {...props} context={context} modules={modules} handlers={null} />
}
