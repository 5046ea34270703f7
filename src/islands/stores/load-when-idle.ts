/** Has the page ready for a component that comes late: the development server's React expects these. */
export function prepareReactRefresh(): void {
  if (import.meta.env.DEV)
    Object.assign(window, { $RefreshReg$: () => {}, $RefreshSig$: () => (type: unknown) => type })
}

/** Loads what moves when the browser has a moment; gives the way to take it away, also while it is coming. */
export function loadWhenIdle(load: () => Promise<() => void>): () => void {
  let gone = false
  let close = () => {}
  const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200))
  idle(
    () => {
      void load().then((end) => {
        close = end
        if (gone) end()
      })
    },
    { timeout: 1500 },
  )
  return () => {
    gone = true
    close()
  }
}
