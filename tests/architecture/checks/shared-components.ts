import type { SourceFile, Violation } from './source.ts'

const NATIVE = /\btype\s*[=:]\s*\{?["'`](date|datetime-local|time|month|week)["'`]/g

/** Native date fields: browsers show them in their own language, not in that of the page. */
export function nativeFields({ path, source }: SourceFile): Violation[] {
  return [...source.matchAll(NATIVE)].map(([, type]) => ({
    path,
    message: `has a field of the type ${type}; use layouts/ui/DateField.astro or islands/field/DateField.tsx`,
  }))
}

/** Markup of which a shared component exists. Tables of two dimensions have no rows that become cards on phones. */
const SHARED: readonly { markup: RegExp; component: string }[] = [
  { markup: /<table(?! class="(?:matrix|hours-grid)")/g, component: 'DataTable.astro' },
  { markup: /<dialog\b/g, component: 'Dialog.astro or ConfirmDialog.astro' },
  { markup: /<input\b[^>]*type="file"/g, component: 'FileField.astro' },
  { markup: /role="tab(?:list)?"/g, component: 'Tabs.astro' },
]

/** Files with markup of their own instead of a shared component, each with its reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/pages/test/_attempt/fields/FileFields.astro': 'a field for several files, which an island replaces',
}

/** Tables, dialogs, file fields and tabs of a page that are not the shared components of layouts/ui. */
export function ownMarkup({ path, source }: SourceFile): Violation[] {
  if (path in ALLOWED) return []
  return SHARED.flatMap(({ markup, component }) =>
    [...source.matchAll(markup)].map(([found]) => ({ path, message: `has ${found}: use layouts/ui/${component}` })),
  )
}
