import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { RoomEncoder } from '#islands/meeting/devices/RoomEncoder.tsx'
import { $encoder } from '#islands/meeting/devices/stage-encoder.ts'
import { ButtonBar } from '#islands/meeting/panel/ButtonBar.tsx'
import { RoomBar } from '#islands/meeting/RoomBar.tsx'
import { RoomHeader } from '#islands/meeting/RoomHeader.tsx'
import { $clicksByButton, $encoderSources, $onlineCount, $state } from '#islands/meeting/room.ts'
import { TranslationContext } from '#islands/meeting/translation.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
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
function roomIn(phase: RoomState['phase'], role: 'host' | 'viewer'): RoomView {
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
