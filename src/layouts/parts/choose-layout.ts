import type { LayoutName } from '#lib/core/shared/shell-view.ts'

/**
 * Loads the layout that a route names. A name without a layout, or a layout that fails to load, is logged with the
 * message of the specification, and the default layout is used.
 */
export async function chooseLayout<Layout>(
  name: LayoutName,
  loaders: Partial<Record<LayoutName, () => Promise<{ default: Layout }>>>,
  fallback: Layout,
  log: (message: string, cause: unknown) => void = (message, cause) => console.error(message, cause),
): Promise<Layout> {
  try {
    const loadLayout = loaders[name]
    if (!loadLayout) throw new Error(`no layout is named ${String(name)}`)
    return (await loadLayout()).default
  } catch (cause) {
    log('Error occurred in processing of layouts', cause)
    return fallback
  }
}
