import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchReports } from '#islands/broadcast/report-monitor.ts'

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => vi.useRealTimers())

/** A connection whose server sends a report every `every` seconds until it is quiet. */
function reporting(every: number) {
  const firstReport = { bytes: 0, quiet: false, silences: 0 }
  const timer = setInterval(() => {
    if (!firstReport.quiet) firstReport.bytes += 60
  }, every * 1000)
  const getStats = async () =>
    new Map([['T', { type: 'transport', bytesReceived: firstReport.bytes }]]) as RTCStatsReport
  const stop = watchReports({ getStats }, () => {
    firstReport.silences += 1
  })
  return Object.assign(firstReport, {
    stop: () => {
      clearInterval(timer)
      stop()
    },
  })
}

test('missing reports of a server that reports each second are detected', async () => {
  const monitor = reporting(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(monitor.silences).toBe(0)
  monitor.quiet = true
  await vi.advanceTimersByTimeAsync(3000)
  expect(monitor.silences).toBe(0)
  await vi.advanceTimersByTimeAsync(5000)
  expect(monitor.silences).toBe(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(monitor.silences).toBe(1)
  monitor.stop()
})

test('a server that reports seldom gets more time', async () => {
  const monitor = reporting(5)
  await vi.advanceTimersByTimeAsync(60_000)
  monitor.quiet = true
  await vi.advanceTimersByTimeAsync(12_000)
  expect(monitor.silences).toBe(0)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(monitor.silences).toBe(1)
  monitor.stop()
})

test('a server that never reported, or a stopped monitor, is ignored', async () => {
  const [never, left] = [reporting(1000), reporting(1)]
  await vi.advanceTimersByTimeAsync(10_000)
  left.stop()
  await vi.advanceTimersByTimeAsync(120_000)
  expect([never.silences, left.silences]).toEqual([0, 0])
  never.stop()
})
