import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fileAnswerPlace, fileAnswerUpload } from '#islands/quiz/attempt/file-answer.ts'
import { releaseUpload } from '#islands/stores/upload/upload-lock.ts'
import { listWaitingFiles, removeWaitingFile, storeWaitingFile } from '#islands/stores/upload/waiting-files.ts'
import { type FakeDatabase, stubIndexedDb } from './fake-indexed-db.ts'

const DAY_MS = 86_400_000
const ATTEMPT = { owner: 'member', attemptId: 'attempt' }
const place = fileAnswerPlace({ ...ATTEMPT, questionId: 'question' })

let device: FakeDatabase

beforeEach(() => {
  device = stubIndexedDb()
  vi.stubGlobal('navigator', {})
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A tab chooses a file and is closed before it has arrived. */
async function chooseAndClose(id: string, file: File, where = place) {
  await storeWaitingFile(id, where, file)
  releaseUpload(id)
}

const namesAt = async (prefix: string) => (await listWaitingFiles(prefix)).map(({ file }) => file.name)

test('a file that was chosen in a closed tab is found again with its content, name and type', async () => {
  await chooseAndClose('1', new File(['my answer'], 'Есе.txt', { type: 'text/plain' }))
  const [waiting] = await listWaitingFiles(place)
  expect(waiting).toMatchObject({ id: '1', place })
  expect(waiting?.file).toMatchObject({ name: 'Есе.txt', type: 'text/plain' })
  expect(await waiting?.file.text()).toBe('my answer')
  // The upload is stored under the same id, so that it never appears twice.
  expect(waiting && fileAnswerUpload({ ...ATTEMPT, questionId: 'question' }, waiting)).toMatchObject({ id: '1', place })
})

test('the result of an attempt finds the files of all its questions, and of no other attempt or member', async () => {
  await chooseAndClose('1', new File(['a'], 'first'))
  await chooseAndClose('2', new File(['b'], 'second'), fileAnswerPlace({ ...ATTEMPT, questionId: 'other' }))
  await chooseAndClose('3', new File(['c'], 'other attempt'), fileAnswerPlace({ ...ATTEMPT, attemptId: 'attempt2' }))
  await chooseAndClose('4', new File(['d'], 'other member'), fileAnswerPlace({ ...ATTEMPT, owner: 'member2' }))
  expect(await namesAt(fileAnswerPlace(ATTEMPT))).toEqual(['first', 'second'])
  expect(await namesAt(place)).toEqual(['first'])
})

test('a file that a tab is sending is not sent by another one, and leaves the device when it has arrived', async () => {
  await storeWaitingFile('1', place, new File(['a'], 'sending'))
  expect(await namesAt(place)).toEqual([])
  await removeWaitingFile('1')
  expect(device.values.size).toBe(0)
})

test('files above 200 MB are not copied, and copies end after thirty days', async () => {
  const large = new File(['a'], 'large')
  Object.defineProperty(large, 'size', { value: 201 * 1024 * 1024 })
  await chooseAndClose('1', large)
  expect(device.values.size).toBe(0)
  await chooseAndClose('2', new File(['b'], 'old'))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * DAY_MS })
  expect(await namesAt(place)).toEqual([])
  await vi.waitFor(() => expect(device.values.size).toBe(0))
})
