import type { Locale } from '#lib/core/shared/locale.ts'
import type { Theme } from '#lib/core/shared/shell-view.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

/** The props of every layout; `t` translates keys such as `shell:nav.courses` on the server. */
export interface FrameProps {
  title: string
  locale: Locale
  theme: Theme
  t: Translate
  description?: string | undefined
  /** Preloads the font Literata, for pages with a large heading in it. */
  display?: boolean | undefined
}
