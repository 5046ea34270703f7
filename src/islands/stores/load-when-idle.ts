/** Defines the globals that React Refresh of the development server needs, before a component is loaded dynamically. */
export function prepareReactRefresh(): void {
  if (import.meta.env.DEV)
    Object.assign(window, { $RefreshReg$: () => {}, $RefreshSig$: () => (type: unknown) => type })
}

/** Loads an optional component when the browser is idle; returns a function that removes it, also during loading. */
export function loadWhenIdle(importModule: () => Promise<() => void>): () => void {
  let isRemoved = false
  let close = () => {}
  const requestIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200))
  requestIdle(
    () => {
      void importModule().then((end) => {
        close = end
        if (isRemoved) end()
      })
    },
    { timeout: 1500 },
  )
  return () => {
    isRemoved = true
    close()
  }
}
