import { describe, expect, test } from 'vitest'
import { makeWorld, settle } from '../world.ts'

describe('draft', () => {
  test('stores every change on the device at once and sends it 800 ms after the last key', async () => {
    const { world, start, pass, kept } = makeWorld()
    const draft = start()
    await draft.restore()
    draft.type('a')
    await pass(500)
    draft.type('ab')
    await pass(500)
    expect(world.saves).toBe(0)
    expect(kept(draft)).toBe('ab')
    await pass(300)
    expect(world.server).toEqual({ value: 'ab', version: 1001 })
    expect(world.device.size).toBe(0)
    expect(draft.state()).toEqual({ kind: 'saved', at: world.now })
  })

  test('renders the page after every key, whatever its state', async () => {
    const { world, start } = makeWorld()
    const draft = start()
    for (const text of ['a', 'ab', 'abc']) {
      const before = world.draws
      draft.type(text)
      expect(world.draws).toBeGreaterThan(before)
    }
  })

  test('sends at once on blur or when the page hides, and only once', async () => {
    const { world, start } = makeWorld()
    const draft = start()
    draft.type('a')
    await Promise.all([draft.flush(), draft.flush(true), draft.flush()])
    expect(world.saves).toBe(1)
    expect(world.server.value).toBe('a')
  })

  test('sends text typed during an earlier save', async () => {
    const { world, start, pass } = makeWorld()
    const draft = start()
    draft.type('a')
    const first = draft.flush()
    draft.type('ab')
    await first
    await pass(800)
    expect(world.server).toEqual({ value: 'ab', version: 1002 })
  })

  test('survives a crash of the tab and continues by itself', async () => {
    const { world, start, crash } = makeWorld()
    const before = start()
    before.type('typed and lost?')
    await before.whenStored()
    crash(before)
    const after = start()
    await after.restore()
    await settle()
    expect(after.value()).toBe('typed and lost?')
    expect(world.server.value).toBe('typed and lost?')
  })

  test('reports that the text is stored only locally while offline, and sends it when the network returns', async () => {
    const { world, start, pass } = makeWorld()
    const draft = start()
    world.weather = 'offline'
    draft.type('a')
    await pass(800)
    expect(draft.state()).toMatchObject({ kind: 'localOnly', reason: 'offline' })
    world.weather = 'good'
    await pass(2000)
    expect(world.server.value).toBe('a')
    expect(draft.state()).toMatchObject({ kind: 'saved' })
  })

  test('stops retrying after repeated server errors, and retries when the text changes', async () => {
    const { world, start, pass } = makeWorld()
    const draft = start()
    world.weather = 'fault'
    draft.type('a')
    await pass(800)
    for (let minute = 0; minute < 30; minute++) await pass(60_000)
    expect(draft.state()).toMatchObject({ kind: 'localOnly', reason: 'failed' })
    expect(world.saves).toBe(3)
    world.weather = 'good'
    draft.type('ab')
    await pass(800)
    expect(world.server.value).toBe('ab')
    expect(draft.state()).toMatchObject({ kind: 'saved' })
  })

  test('keeps the text through an expired session and continues after signing in', async () => {
    const { world, start, pass, kept } = makeWorld()
    const draft = start()
    world.weather = 'signedOut'
    draft.type('a')
    await pass(800)
    expect(draft.state()).toMatchObject({ kind: 'localOnly', reason: 'signedOut' })
    expect(kept(draft)).toBe('a')
    world.weather = 'good'
    await draft.flush()
    expect(world.server.value).toBe('a')
  })

  test('does not send a refused text again until it changes', async () => {
    const { world, start, pass } = makeWorld()
    const draft = start()
    world.weather = 'refused'
    draft.type('a')
    await pass(800)
    await pass(100_000)
    expect(world.saves).toBe(1)
    expect(draft.state()).toEqual({ kind: 'localOnly', reason: 'refused', message: 'too long' })
  })

  test('warns when neither the device nor the server stores the text', async () => {
    const { world, start, pass } = makeWorld()
    const draft = start()
    world.deviceFails = true
    world.weather = 'offline'
    draft.type('a')
    await pass(800)
    expect(draft.state()).toMatchObject({ kind: 'localOnly', reason: 'storage' })
  })

  test('shows both texts after a conflict, and lets the user choose', async () => {
    const { world, start, write } = makeWorld()
    const draft = start()
    write('theirs')
    draft.type('mine')
    await draft.flush()
    expect(draft.state()).toMatchObject({ kind: 'conflict', mine: 'mine', theirs: 'theirs', theirVersion: 1001 })
    expect(world.server.value).toBe('theirs')
    await draft.resolve('theirs')
    expect(draft.value()).toBe('theirs')
    expect(world.device.size).toBe(0)
    expect(world.aside.map(({ value }) => value)).toEqual(['mine'])
  })

  test('overwrites the other text only when the user chooses their own', async () => {
    const { world, start, write } = makeWorld()
    const draft = start()
    write('theirs')
    draft.type('mine')
    await draft.flush()
    draft.type('mine, longer')
    await draft.flush()
    expect(world.server.value).toBe('theirs')
    await draft.resolve('mine')
    expect(world.server).toEqual({ value: 'mine, longer', version: 1002 })
  })

  test('asks again when a third text arrives during the choice', async () => {
    const { start, write } = makeWorld()
    const draft = start()
    write('theirs')
    draft.type('mine')
    await draft.flush()
    write('third')
    await draft.resolve('mine')
    expect(draft.state()).toMatchObject({ kind: 'conflict', theirs: 'third' })
  })

  test('recognizes its own text after the response to a save was lost', async () => {
    const { world, start, pass } = makeWorld()
    const draft = start()
    world.weather = 'answerLost'
    draft.type('a')
    await pass(800)
    world.weather = 'good'
    await pass(2000)
    expect(draft.state()).toMatchObject({ kind: 'saved' })
    expect(world.server).toEqual({ value: 'a', version: 1001 })
  })

  test('recognizes its own text when more was typed after a lost response, also after a crash', async () => {
    const { world, start, pass, crash } = makeWorld()
    const draft = start()
    await draft.restore()
    world.weather = 'answerLost'
    draft.type('a')
    await pass(800)
    draft.type('ab')
    await draft.whenStored()
    crash(draft)
    world.weather = 'good'
    const after = start()
    await after.restore()
    await pass(800)
    expect(after.state()).toMatchObject({ kind: 'saved' })
    expect(world.server).toEqual({ value: 'ab', version: 1002 })
  })

  test("shows both texts after a crash when the server's text changed meanwhile", async () => {
    const { start, crash, write } = makeWorld()
    const before = start()
    before.type('mine')
    await before.whenStored()
    crash(before)
    write('theirs')
    const after = start()
    await after.restore()
    expect(after.state()).toMatchObject({ kind: 'conflict', mine: 'mine', theirs: 'theirs' })
  })

  test('asks about an older local text found after the user began to type', async () => {
    const { world, start, crash, pass, kept } = makeWorld()
    const before = start()
    world.weather = 'offline'
    before.type('older')
    await before.whenStored()
    crash(before)
    world.weather = 'good'
    const after = start()
    const opening = after.restore()
    after.type('newer')
    await opening
    expect(kept(after)).toBe('newer')
    await pass(800)
    expect(world.server.value).toBe('newer')
    await settle()
    expect(after.state()).toMatchObject({ kind: 'conflict', mine: 'older', theirs: 'newer' })
  })
})

describe.each([
  ['counters', 1],
  ['digests, which may become smaller', -1],
])('a draft whose versions are %s', (_, step) => {
  test('takes over text saved by another user, and continues from it', async () => {
    const { world, start, write, read, pass } = makeWorld({ step })
    const draft = start()
    await draft.restore()
    write('theirs')
    await draft.refresh(read)
    expect(draft.value()).toBe('theirs')
    draft.type('theirs and mine')
    await pass(800)
    expect(world.server.value).toBe('theirs and mine')
    expect(draft.state()).toMatchObject({ kind: 'saved' })
  })

  test('does not replace text typed meanwhile', async () => {
    const { start, write, read } = makeWorld({ step })
    const draft = start()
    draft.type('mine')
    write('theirs')
    await draft.refresh(read)
    expect(draft.value()).toBe('mine')
    expect(draft.state()).toMatchObject({ kind: 'conflict', mine: 'mine', theirs: 'theirs' })
  })

  test('does not return to a text read before its own save', async () => {
    const { world, start, read } = makeWorld({ step })
    const draft = start()
    await draft.restore()
    let reads = 0
    const slowRead = async () => {
      reads += 1
      const text = await read()
      if (reads === 1) {
        draft.type('newer')
        await draft.flush()
      }
      return text
    }
    await draft.refresh(slowRead)
    expect(reads).toBe(2)
    expect(draft.value()).toBe('newer')
    expect(draft.state()).toMatchObject({ kind: 'saved' })
    expect(world.server.value).toBe('newer')
  })

  test('sends a text left by a closed tab with its own base version, whatever version the page has', async () => {
    const { world, start, crash, write, pass } = makeWorld({ step })
    const older = { ...world.server }
    write('saved')
    const before = start()
    before.type('saved and more')
    await before.whenStored()
    crash(before)
    const now = world.server
    world.server = older
    // The page is rendered from an older copy than the one on the device.
    const after = start()
    world.server = now
    await after.restore()
    await pass(800)
    expect(world.server.value).toBe('saved and more')
    expect(after.state()).toMatchObject({ kind: 'saved' })
  })
})
