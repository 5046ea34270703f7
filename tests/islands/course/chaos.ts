import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { LessonText } from '#islands/course/lesson/lesson.ts'
import { draftOptions } from '#islands/course/lesson/lesson-draft.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { createDraft } from '#islands/stores/draft/draft-core.ts'
import type { ConflictResolution, Draft } from '#islands/stores/draft/draft-settings.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { getLesson } from '#lib/course/lesson/lesson.ts'
import { getLessonText, listRevisions, restoreRevision } from '#lib/course/lesson/revision.ts'
import { measureContent } from '#lib/course/lesson/rules.ts'
import { saveLesson } from '#lib/course/lesson/save.ts'
import type { SaveLesson } from '#lib/course/lesson/schema.ts'
import { type Device, makeDevice } from './chaos-device.ts'
import { tokensOf, typed } from './chaos-tokens.ts'

type Weather = 'good' | 'offline' | 'answerLost' | 'signedOut' | 'slow'

interface Author {
  actor: Actor
  device: Device<LessonText>
  weather: Weather
}

interface Life {
  slot: string
  author: Author
  alive: boolean
}
interface Tab extends Life {
  draft: Draft<LessonText>
}

/** Two authors and one lesson: the draft layer of the browser with the functions of the server. */
export async function makeChaos(
  actors: readonly Actor[],
  lessonId: string,
  pick: (below: number) => number,
  forgetful = false,
) {
  const owner = ownerOf(actors)
  const authors = actors.map((actor): Author => ({ actor, device: makeDevice({ forgetful }), weather: 'good' }))
  const tabs: Tab[] = []
  const timers = new Set<{ at: number; run: () => void }>()
  const gates: (() => void)[] = []
  const underWay = new Set<Promise<unknown>>()
  /** All typed tokens, and those that an author has explicitly rejected. */
  const all = new Set<string>()
  const givenUp = new Set<string>()
  let now = 1000
  let names = 0

  const livingTabs = () => tabs.filter(({ alive }) => alive)
  const readServer = async (): Promise<LessonText & { version: number }> =>
    overWire(await getLesson(owner, { lessonId }))

  /** Waits for everything that depends only on the server. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      while (underWay.size > 0) await Promise.allSettled(underWay)
    }
  }

  async function open(author: Author): Promise<void> {
    const page = await readServer()
    names += 1
    const tab: Life = { slot: `tab ${names}`, author, alive: true }
    const options = draftOptions(
      { lessonId, owner: author.actor.membershipId, ...page },
      { getTab: () => undefined, onMerged: () => undefined },
      (input) => travel(tab, input),
    )
    const draft = createDraft<LessonText>({
      ...options,
      href: '/course/edit/1',
      store: author.device.draftStoreOf(tab.slot, () => tab.alive),
      clock: { now: () => now, after: (milliseconds, run) => startTimer(tab, milliseconds, run) },
    })
    tabs.push(Object.assign(tab, { draft }))
    void draft.restore()
    await settle()
  }

  function startTimer(tab: Life, milliseconds: number, run: () => void) {
    const timer = { at: now + milliseconds, run: () => tab.alive && run() }
    timers.add(timer)
    return () => void timers.delete(timer)
  }

  /** A save in transit: it may be delayed, arrive without its response, or find the tab closed. */
  async function travel(tab: Life, input: SaveLesson): Promise<{ version: number }> {
    const { weather } = tab.author
    if (weather === 'offline') throw new CallError('unreachable', 0, '')
    if (weather === 'signedOut') throw new CallError('unauthorized', 401, '')
    if (weather === 'slow') await new Promise<void>((resolve) => gates.push(resolve))
    const arriving = arrive(tab.author.actor, input)
    underWay.add(arriving)
    const done = arriving.finally(() => underWay.delete(arriving))
    const answer = await done.catch((error: unknown) => ({ error }))
    if (!tab.alive) return new Promise(() => {})
    if (weather === 'answerLost') throw new CallError('unreachable', 0, '')
    if ('error' in answer) throw answer.error
    return answer
  }

  async function arrive(actor: Actor, input: SaveLesson): Promise<{ version: number }> {
    try {
      return overWire(await saveLesson(actor, overWire(input)))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      throw new CallError(error.code, error.status, error.code, overWire({ ...error.details.data }))
    }
  }

  async function pass(milliseconds: number): Promise<void> {
    now += milliseconds
    for (const gate of gates.splice(0, pick(gates.length + 1))) gate()
    for (const timer of [...timers].filter(({ at }) => at <= now)) {
      timers.delete(timer)
      timer.run()
    }
    await settle()
  }

  async function receiveEvents(tab: Tab): Promise<void> {
    if (tab.author.weather === 'offline' || tab.author.weather === 'signedOut') return
    void tab.draft.refresh(async () => {
      const { version, title, blocks } = await readServer()
      return { version, value: { title, blocks } }
    })
    await settle()
  }

  async function choose(tab: Tab, choice: ConflictResolution): Promise<void> {
    const state = tab.draft.state()
    if (state.kind !== 'conflict') return
    const offered = [...tokensOf(state.mine), ...tokensOf(state.theirs)]
    void tab.draft.resolve(choice)
    const draftTokens = tokensOf(tab.draft.value())
    for (const token of offered) if (!draftTokens.has(token)) givenUp.add(token)
    await settle()
  }

  async function restoreSome(actor: Actor): Promise<void> {
    const list = await listRevisions(actor, { lessonId })
    const tab = list[pick(list.length)]
    if (!tab) return
    const { version } = await restoreRevision(actor, { lessonId, version: tab.version })
    if (version === tab.version) return
    const before = await getLessonText(actor, { lessonId, revision: version - 1 })
    const after = tokensOf(await getLessonText(actor, { lessonId, revision: tab.version }))
    for (const token of tokensOf(before)) if (!after.has(token)) givenUp.add(token)
  }

  const CHOICES: ConflictResolution[] = ['mine', 'theirs', 'both']
  const WEATHERS: Weather[] = ['good', 'good', 'offline', 'answerLost', 'signedOut', 'slow']

  /** One random event. */
  async function step(): Promise<void> {
    const author = authors[pick(authors.length)] ?? authors[0]
    const own = livingTabs().filter((tab) => tab.author === author)
    const tab = own[pick(own.length)]
    if (!author) return
    if (!tab) return open(author)
    const action = pick(30)
    if (action < 12) write(tab)
    else if (action < 18) await pass(pick(3000))
    else if (action < 20) void tab.draft.flush()
    else if (action < 22) author.weather = WEATHERS[pick(WEATHERS.length)] ?? 'good'
    else if (action < 24) kill(tab)
    else if (action < 25) {
      if (own.length < 2) await open(author)
    } else if (action < 27) await receiveEvents(tab)
    else if (action < 29) await choose(tab, CHOICES[pick(3)] ?? 'both')
    else if (pick(4) === 0) await restoreSome(author.actor)
    else void tab.draft.flush(true)
    if (pick(2) === 0) await settle()
  }

  function write(tab: Tab): void {
    const token = `⟨${'ab'[authors.indexOf(tab.author)] ?? 'x'}${all.size}⟩`
    all.add(token)
    tab.draft.type(typed(tab.draft.value(), token, pick(1000)))
  }

  // No timers run and no response is received, but a save in transit may still arrive.
  function kill(tab: Tab): void {
    tab.alive = false
    tab.draft.close()
  }

  /** Everybody is online and signed in, and resolves the conflicts. */
  async function calm(): Promise<void> {
    for (const author of authors) author.weather = 'good'
    for (let round = 0; round < 60; round += 1) {
      for (const author of authors) {
        const orphaned = [...author.device.kept.keys()].some((slot) => livingTabs().every((tab) => tab.slot !== slot))
        if (orphaned || !livingTabs().some((tab) => tab.author === author)) await open(author)
      }
      await pass(70_000)
      for (const tab of livingTabs()) {
        await receiveEvents(tab)
        await choose(tab, CHOICES[pick(3)] ?? 'both')
        void tab.draft.flush()
        await settle()
        if (livingTabs().filter(({ author }) => author === tab.author).length > 1 && tab.draft.state().kind === 'saved')
          kill(tab)
      }
      const quiet = livingTabs().every(({ draft }) => draft.state().kind === 'saved')
      if (quiet && gates.length === 0 && authors.every(({ device }) => device.kept.size === 0)) return
    }
    throw new Error('the authors never come to rest')
  }

  /** The location of each token that is not in the text; null if it is lost. */
  async function whereabouts(): Promise<{ lost: string[]; unasked: string[] }> {
    const text = tokensOf(await readServer())
    const elsewhere = new Set<string>()
    for (const { version } of await listRevisions(owner, { lessonId })) {
      const kept = await getLessonText(owner, { lessonId, revision: version })
      for (const token of tokensOf(kept)) elsewhere.add(token)
    }
    for (const { device } of authors) {
      for (const { value } of device.aside) for (const token of tokensOf(value)) elsewhere.add(token)
    }
    const missing = [...all].filter((token) => !text.has(token))
    return {
      lost: missing.filter((token) => !elsewhere.has(token)),
      unasked: missing.filter((token) => !givenUp.has(token)),
    }
  }

  async function weighsRight(): Promise<void> {
    const { blocks } = await readServer()
    const { rows } = await inTenant(owner, (tx) =>
      tx.execute(sql`select nodes, characters, words from lesson where id = ${lessonId}`),
    )
    expect(rows[0]).toEqual(measureContent(blocks.content))
  }

  return { step, settle, calm, whereabouts, weighsRight, all }
}

function ownerOf([first]: readonly Actor[]): Actor {
  if (!first) throw new Error('nobody writes')
  return first
}

const overWire = <T>(value: T): T => JSON.parse(JSON.stringify(value))

/** Pseudorandom numbers of a seed; the algorithm is mulberry32. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}
