import { addIntegration, browserTracingIntegration, captureException, init } from '@sentry/astro'

/**
 * Starts error reporting in the browser, after idle and only with a DSN. All transactions are traced; one session in
 * ten and every session with an error is recorded, with texts masked: answers, chat and payments are never sent.
 */
export function startReporting(dsn: string): void {
  init({
    dsn,
    integrations: [browserTracingIntegration()],
    tracesSampleRate: 1,
    replaysSessionSampleRate: 0.1,
    replaysOnErrorSampleRate: 1,
    tracePropagationTargets: ['localhost', new RegExp(`^${location.origin}/v1/`)],
    sendDefaultPii: false,
  })
  void startReplay()
}

/**
 * Sends one error that a boundary has caught.
 * It is imported when the first error occurs.
 */
export const sendError = (error: unknown, extra: Record<string, string>): void =>
  void captureException(error, { extra })

async function startReplay(): Promise<void> {
  const { replayIntegration } = await import('@sentry/replay')
  addIntegration(replayIntegration({ maskAllText: true, maskAllInputs: true, blockAllMedia: true }))
}
