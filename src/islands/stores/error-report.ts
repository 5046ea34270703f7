type Service = Pick<typeof import('./sentry.ts'), 'sendError'>

let service: Promise<Service> | undefined

/** Starts error reporting where a DSN is configured; does nothing elsewhere, or a second time. */
export function startErrorReports(): Promise<Service> | undefined {
  const dsn = document.querySelector<HTMLMetaElement>('meta[name="sentry-dsn"]')?.content
  if (!dsn) return undefined
  service ??= import('./sentry.ts').then(({ startReporting, sendError }) => {
    startReporting(dsn)
    return { sendError }
  })
  return service
}

/** Reports a caught error with details of its place. Never throws, because it is called during error handling. */
export function reportError(error: unknown, details: Record<string, string>): void {
  void startErrorReports()
    ?.then(({ sendError }) => sendError(error, details))
    .catch(() => undefined)
}
