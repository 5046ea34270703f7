import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAnswerRecording, forgetRecording } from '#islands/homework/recording/answer-recording.ts'
import { listRecordingSources } from '#islands/homework/recording/capture.ts'
import { remainingSeconds } from '#islands/homework/recording/recording-limit.ts'
import { listLeftRecordings } from '#islands/homework/recording/recording-store.ts'
import { UPLOAD_PART_BYTES } from '#lib/core/shared/upload-part.ts'
import { lastRecorder, makeAnswer, makeDevices } from './simulated-browser.ts'

let devices: ReturnType<typeof makeDevices>
beforeEach(() => {
  devices = makeDevices()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

async function reach(state: () => { step: string }, step: string): Promise<void> {
  await vi.waitFor(() => expect(state().step).toBe(step))
}

/** Records chunks of these sizes up to the review. */
async function record(made: ReturnType<typeof makeAnswer>, ...sizes: number[]) {
  await made.answer.open('camera')
  made.answer.start()
  for (const size of sizes) lastRecorder().give(size)
  made.answer.stop()
  await reach(made.state, 'review')
}

describe('a recorded answer', () => {
  test('is previewed, paused, resumed and played back', async () => {
    const { answer, state } = makeAnswer()
    await answer.open('camera')
    expect(state()).toMatchObject({ step: 'ready', cameras: 1, hasSound: true })
    answer.start()
    lastRecorder().give(300)
    answer.pause()
    expect([state().step, lastRecorder().state]).toEqual(['paused', 'paused'])
    answer.resume()
    lastRecorder().give(200)
    answer.stop()
    await reach(state, 'review')
    expect(state().file).toMatchObject({ size: 500, name: 'Recording camera.webm', type: 'video/webm' })
    const [camera] = devices.given
    expect(camera?.getTracks().map(({ readyState }) => readyState)).toEqual(['ended', 'ended'])
  })

  test('does not count pauses as time', async () => {
    vi.useFakeTimers()
    const { answer, state } = makeAnswer()
    await answer.open('camera')
    answer.start()
    await vi.advanceTimersByTimeAsync(2000)
    answer.pause()
    await vi.advanceTimersByTimeAsync(60_000)
    answer.resume()
    await vi.advanceTimersByTimeAsync(1000)
    expect(state().seconds).toBeCloseTo(3, 1)
    await answer.discard()
  })

  test('is uploaded part by part while it is recorded, in order and without a gap', async () => {
    const made = makeAnswer()
    await made.answer.open('camera')
    made.answer.start()
    for (let chunk = 0; chunk < 5; chunk += 1) lastRecorder().give(UPLOAD_PART_BYTES / 2)
    await vi.waitFor(() => expect(made.state().sent).toBe(2 * UPLOAD_PART_BYTES))
    expect([...made.school.parts].map(([number, { size }]) => [number, size])).toEqual([
      [1, UPLOAD_PART_BYTES],
      [2, UPLOAD_PART_BYTES],
    ])
    expect(made.school.size).toBe(2 * UPLOAD_PART_BYTES)
    made.answer.stop()
    await reach(made.state, 'review')
    expect(await made.answer.use()).toMatchObject({ uploadId: 'upload 1', file: { size: 2.5 * UPLOAD_PART_BYTES } })
    expect(made.state().step).toBe('idle')
  })

  test('continues recording when the school accepts no more data, and reports the reason', async () => {
    const made = makeAnswer()
    made.school.fails = new Error('The storage is full')
    await record(made, UPLOAD_PART_BYTES, 100)
    await vi.waitFor(() => expect(made.state().uploadError).toBe('The storage is full'))
    expect(made.state().file?.size).toBe(UPLOAD_PART_BYTES + 100)
    expect(await made.answer.use()).toMatchObject({ uploadId: null })
  })

  test('is discarded with its uploaded parts, and recorded again', async () => {
    const made = makeAnswer()
    await made.answer.open('camera')
    made.answer.start()
    lastRecorder().give(UPLOAD_PART_BYTES)
    await vi.waitFor(() => expect(made.state().sent).toBe(UPLOAD_PART_BYTES))
    const first = lastRecorder()
    await made.answer.discard()
    expect(made.school.removed).toEqual(['upload 1'])
    expect(await listLeftRecordings('member', made.parts.taskId)).toEqual([])
    await made.answer.open('camera')
    made.answer.start()
    first.give(999)
    lastRecorder().give(10)
    made.answer.stop()
    await reach(made.state, 'review')
    expect(made.state().file?.size).toBe(10)
  })

  test('stops by itself before the limit of its task', async () => {
    const made = makeAnswer({ maxBytes: 4_000_000 })
    await made.answer.open('camera')
    made.answer.start()
    lastRecorder().give(1_000_000)
    expect(made.state().step).toBe('recording')
    lastRecorder().give(2_500_000)
    await reach(made.state, 'review')
    expect(made.state()).toMatchObject({ isAtLimit: true })
    expect(made.state().file?.size).toBeLessThanOrEqual(4_000_000)
  })

  test('abandoned with its page is offered again, and resumes its upload', async () => {
    const made = makeAnswer()
    await made.answer.open('camera')
    made.answer.start()
    lastRecorder().give(UPLOAD_PART_BYTES)
    lastRecorder().give(77)
    await vi.waitFor(() => expect(made.state().sent).toBe(UPLOAD_PART_BYTES))
    made.answer.leave()
    await vi.waitFor(async () => expect(await listLeftRecordings('member', made.parts.taskId)).toHaveLength(1))
    expect(await listLeftRecordings('somebody else', made.parts.taskId)).toEqual([])

    const next = createAnswerRecording(made.parts)
    await next.restore()
    expect(next.$state.get()).toMatchObject({ step: 'review', isRestored: true, uploadId: 'upload 1' })
    expect(next.$state.get().file?.size).toBe(UPLOAD_PART_BYTES + 77)
    expect(await listLeftRecordings('member', made.parts.taskId)).toEqual([])
    const used = await next.use()
    expect(used).toMatchObject({ uploadId: 'upload 1' })
    await forgetRecording(used?.recordingId ?? '')
    const last = createAnswerRecording(made.parts)
    await last.restore()
    expect(last.$state.get().step).toBe('idle')
  })

  test('of an earlier attempt is uploaded again', async () => {
    const made = makeAnswer()
    await record(made, UPLOAD_PART_BYTES)
    made.answer.leave()
    await vi.waitFor(async () => expect(await listLeftRecordings('member', made.parts.taskId)).toHaveLength(1))
    const next = createAnswerRecording({ ...made.parts, attempt: 2 })
    await next.restore()
    expect(await next.use()).toMatchObject({ uploadId: null, file: { size: UPLOAD_PART_BYTES } })
  })
})

describe('devices', () => {
  test.each([
    ['NotAllowedError', 'denied'],
    ['NotFoundError', 'none'],
    ['NotReadableError', 'busy'],
    ['TypeError', 'unsupported'],
  ])('that fail with %s are explained as %s, and can be requested again', async (name, failure) => {
    const { answer, state } = makeAnswer()
    devices.refuses = name
    await answer.open('camera')
    expect(state()).toMatchObject({ step: 'refused', failure })
    devices.refuses = null
    await answer.open('camera')
    expect(state().step).toBe('ready')
    await answer.discard()
    expect(state().step).toBe('idle')
  })

  test("switch between a phone's cameras, one open at a time", async () => {
    devices.kinds = ['videoinput', 'videoinput', 'audioinput']
    const { answer, state } = makeAnswer()
    await answer.open('camera')
    expect(state().cameras).toBe(2)
    await answer.switchCamera()
    expect(devices.requests.at(-1)?.video).toMatchObject({ facingMode: 'environment' })
    expect(devices.given.map((stream) => stream.getTracks()[0]?.readyState)).toEqual(['ended', 'live'])
    expect(state()).toMatchObject({ step: 'ready', facing: 'environment' })
    await answer.discard()
  })

  test('are released when permission arrives too late', async () => {
    const { answer, state } = makeAnswer()
    const opening = answer.open('camera')
    await answer.discard()
    await opening
    expect(state().step).toBe('idle')
    expect(devices.given[0]?.getTracks()[0]?.readyState).toBe('ended')
  })

  test('that are missing are not offered', async () => {
    devices.kinds = ['audioinput']
    expect(await listRecordingSources()).toEqual(['voice'])
  })

  test('record a voice at once, named as audio', async () => {
    const { answer, state } = makeAnswer()
    await answer.open('voice')
    expect(state().step).toBe('recording')
    expect(devices.requests.at(-1)?.video).toBeUndefined()
    lastRecorder().give(50)
    answer.stop()
    await reach(state, 'review')
    expect(state().file).toMatchObject({ name: 'Recording voice.m4a', size: 50 })
  })
})

test('the remaining time follows the bit rate of the recording, and ends at the maximum', () => {
  const maxBytes = 2 * 1024 ** 3
  const minutes = remainingSeconds({ source: 'camera', seconds: 0, bytes: 0, maxBytes }) / 60
  expect(minutes).toBeGreaterThan(100)
  expect(minutes).toBeLessThan(115)
  const fast = remainingSeconds({ source: 'camera', seconds: 10, bytes: 10_000_000, maxBytes })
  expect(fast).toBeCloseTo(maxBytes / 1_000_000 - 13, -1)
  expect(remainingSeconds({ source: 'voice', seconds: 1700, bytes: 1000, maxBytes })).toBe(100)
})
