import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { KeySet } from '#islands/meeting/bar-shortcuts.ts'
import { RoomEncoder } from '#islands/meeting/devices/RoomEncoder.tsx'
import { $encoder } from '#islands/meeting/devices/stage-encoder.ts'
import { ButtonBar } from '#islands/meeting/panel/ButtonBar.tsx'
import { ConsentBar } from '#islands/meeting/panel/ConsentBar.tsx'
import { PollCard } from '#islands/meeting/panel/PollCard.tsx'
import { RoomBar } from '#islands/meeting/RoomBar.tsx'
import { RoomHeader } from '#islands/meeting/RoomHeader.tsx'
import { $clicksByButton, $encoderSources, $onlineCount, $state } from '#islands/meeting/room.ts'
import { createTranslation, TranslationContext } from '#islands/meeting/translation.ts'
import { getTranslator, stringsFor } from '#lib/core/i18n/i18n.ts'
import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { ChatSettings } from '#lib/workshop/session/event-schema.ts'
import { initialRoomState } from '#lib/workshop/session/state-rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'

const translation = { t: getTranslator('uk'), locale: 'uk' as const, strings: {} }
const button = {
  buttonId: 'b',
  shownAt: 0,
  content: {
    label: 'Хочу на курс',
    url: 'https://example.org',
    style: 'primary',
    placement: 'chat',
    countdownTo: null,
    countdownSeconds: null,
    quantityLeft: 5,
  },
}

/** The room of a host in a phase, with a shown button. */
function roomIn(phase: RoomState['phase'], role: RoomRole): RoomView {
  const state = { ...initialRoomState(ChatSettings.parse({}), null), phase, startedAt: 0, buttons: [button] }
  const me = { personId: 'p', name: 'Оля', role, kind: 'member', locale: 'uk', mutedUntil: null }
  const workshop = { title: 'Ефір', captions: 'off', recorded: true, plannedMinutes: 60 }
  const rest = { online: 37, staff: null, auto: null, kind: 'live', serverNow: 0, media: null, slides: null }
  return { ...rest, state, me, workshop } as never
}

beforeEach(() => {
  $state.set(null)
  $onlineCount.set(null)
  $clicksByButton.set({})
})

describe('the remaining number next to a button', () => {
  test('decreases with the clicks of viewers, down to none', () => {
    const left = (clicks: number) => {
      $clicksByButton.set({ b: clicks })
      const markup = renderToStaticMarkup(
        <TranslationContext value={translation}>
          <ButtonBar view={roomIn('live', 'viewer')} placement="chat" strings={{}} locale="uk" />
        </TranslationContext>,
      )
      return /offer-note">([^<]*)</.exec(markup)?.[1]
    }
    expect([0, 2, 5, 9].map(left)).toEqual([5, 3, 0, 0].map((count) => expect.stringContaining(String(count))))
  })
})

describe('the room of a host', () => {
  const actions = (phase: RoomState['phase']) => {
    const markup = renderToStaticMarkup(<RoomBar view={roomIn(phase, 'host')} keys="staff" />)
    return [...markup.matchAll(/data-action="(\w+)"/g)].map(([, action]) => action)
  }
  const header = (phase: RoomState['phase']) => renderToStaticMarkup(<RoomHeader view={roomIn(phase, 'host')} />)

  test('has commands of the stage while the event runs, and none after its end', () => {
    expect(actions('live')).toEqual(expect.arrayContaining(['start', 'microphone', 'camera', 'screen', 'launcher']))
    expect(
      actions('finished').filter(
        (action) => !['sound', 'fullscreen', 'panel', 'keys', 'more', 'leave'].includes(`${action}`),
      ),
    ).toEqual([])
  })

  test('shows the number of viewers and the elapsed time while the event runs, and neither after its end', () => {
    expect(header('live')).toContain('37')
    expect(header('live')).toContain('data-live')
    expect(header('finished')).not.toContain('37')
    expect(header('finished')).not.toContain('data-live')
  })
})

describe('the room of a session with a mentor', () => {
  const session = (role: 'host' | 'student') => {
    const view = roomIn('live', role)
    const people = [
      { memberId: 'm', name: 'Менторка', hasAgreed: true },
      { memberId: 's', name: 'Студент', hasAgreed: false },
    ]
    return { ...view, mentoring: { memberId: role === 'host' ? 'm' : 's', consent: { isRecorded: false, people } } }
  }
  const strings = stringsFor('uk', 'stage', 'meeting')
  const texts = createTranslation(strings, 'uk', 'session')

  test('offers neither the end nor moderation to the student', () => {
    const actions = (role: 'host' | 'student', keys: KeySet) =>
      [...renderToStaticMarkup(<RoomBar view={session(role)} keys={keys} />).matchAll(/data-action="(\w+)"/g)].map(
        ([, action]) => action,
      )
    expect(actions('student', 'student')).toEqual(expect.arrayContaining(['microphone', 'camera', 'screen', 'leave']))
    for (const action of ['start', 'launcher', 'hands']) expect(actions('student', 'student')).not.toContain(action)
    expect(actions('host', 'mentor')).toContain('start')
    for (const action of ['launcher', 'hands']) expect(actions('host', 'mentor')).not.toContain(action)
  })

  test('asks for the consent that the other person has proposed', () => {
    const bar = (role: 'host' | 'student') =>
      renderToStaticMarkup(
        <TranslationContext value={texts}>
          <ConsentBar mentoring={session(role).mentoring} />
        </TranslationContext>,
      )
    expect(bar('student')).toContain('Менторка пропонує записати сесію.')
    expect(bar('host')).toContain('Чекаємо на згоду: Студент.')
  })

  test('has texts of its own, like a rehearsal, and those of events otherwise', () => {
    expect(texts.t('stage:end.title')).toBe('Сесію завершено.')
    expect(texts.t('stage:bar.leave')).toBe(createTranslation(strings, 'uk').t('stage:bar.leave'))
    expect(createTranslation(strings, 'uk', 'rehearsal').t('stage:end.title')).toBe('Репетицію завершено.')
    const replaced = Object.keys(strings).filter((key) => /^stage:(session|rehearsal)\./.test(key))
    const known = (key: string) => key.replace(/^stage:\w+\.(\w+)\./, '$1:') in strings
    expect(replaced.filter((key) => !known(key))).toEqual([])
  })
})

describe('the result of a poll', () => {
  test('is not shown on a page that was opened after the poll was closed', () => {
    const content = { kind: 'single', question: 'Чутно?', options: ['Так', 'Ні'], showResults: 'always' }
    const card = (closed: boolean) => {
      const view = roomIn('live', 'viewer')
      const poll = { pollId: 'p', content, openedAt: 1, closed, tally: [1, 0], voters: 1 }
      return renderToStaticMarkup(
        <TranslationContext value={translation}>
          <PollCard view={{ ...view, state: { ...view.state, poll } as never }} strings={{}} locale="uk" />
        </TranslationContext>,
      )
    }
    expect(card(false)).toContain('Чутно?')
    expect(card(true)).toBe('')
  })
})

describe('the panel of encoders', () => {
  afterEach(() => vi.unstubAllGlobals())

  test('shows address and token, and each published stream with a button that puts it on the stage', () => {
    vi.stubGlobal('location', { origin: 'https://demo.example.org' })
    $encoder.set({ endpoint: '/v1/broadcast/whip/p-encoder', token: 'encoder-token' })
    $encoderSources.set([{ stream: 'p-encoder', personId: 'p', name: 'Оля' }])
    const panel = (onAir: object[]) => {
      const view = roomIn('live', 'host')
      return renderToStaticMarkup(
        <TranslationContext value={translation}>
          <RoomEncoder view={{ ...view, state: { ...view.state, onAir } as never }} />
        </TranslationContext>,
      )
    }
    expect(panel([])).toContain('value="https://demo.example.org/v1/broadcast/whip/p-encoder"')
    expect(panel([])).toContain('value="encoder-token"')
    expect(panel([])).toContain(translation.t('stage:encoder.putOn'))
    expect(panel([{ stream: 'p-encoder' }])).toContain(translation.t('stage:encoder.takeOff'))
  })
})
