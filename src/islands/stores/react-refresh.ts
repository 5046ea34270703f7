/** Defines the globals that React Refresh of the development server needs, before a component is loaded dynamically. */
export function prepareReactRefresh(): void {
  if (import.meta.env.DEV)
    Object.assign(window, { $RefreshReg$: () => {}, $RefreshSig$: () => (type: unknown) => type })
}
