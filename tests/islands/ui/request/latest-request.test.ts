import { describe, expect, test } from 'vitest'
import { createLatestRequest } from '#islands/ui/request/latest-request.ts'

/** A search whose responses are controlled by the test, in any order. */
function makeSearch() {
  const waiting = new Map<
    string,
    { answer: (text: string) => void; refuse: (error: Error) => void; signal: AbortSignal }
  >()
  const shown: string[] = []
  const failures: string[] = []
  const latest = createLatestRequest()
  const type = (typed: string) =>
    latest.run(
      (signal) =>
        new Promise<string>((answer, refuse) => {
          waiting.set(typed, { answer, refuse, signal })
        }),
      (result) => shown.push(result),
      (error) => failures.push(String(error)),
    )
  const request = (typed: string) => {
    const found = waiting.get(typed)
    if (!found) throw new Error(`nobody asked for ${typed}`)
    return found
  }
  return { latest, type, request, shown, failures }
}

describe('search requests', () => {
  test('show the result of the newest query when responses arrive in reverse order', async () => {
    const { type, request, shown } = makeSearch()
    const runs = [type('о'), type('оле'), type('олена')]
    request('олена').answer('Олена')
    request('оле').answer('Олена, Олег')
    request('о').answer('everybody')
    await Promise.all(runs)
    expect(shown).toEqual(['Олена'])
  })

  test('abort the previous request', () => {
    const { type, request } = makeSearch()
    void type('о')
    void type('ол')
    expect(request('о').signal.aborted).toBe(true)
    expect(request('ол').signal.aborted).toBe(false)
  })

  test('ignore the failure of an older request and report that of the newest', async () => {
    const { type, request, failures } = makeSearch()
    const runs = [type('о'), type('ол')]
    request('о').refuse(new Error('aborted'))
    request('ол').refuse(new Error('offline'))
    await Promise.all(runs)
    expect(failures).toEqual(['Error: offline'])
  })

  test('show nothing after the search was canceled', async () => {
    const { latest, type, request, shown } = makeSearch()
    const run = type('о')
    latest.cancel()
    request('о').answer('everybody')
    await run
    expect(shown).toEqual([])
  })
})
