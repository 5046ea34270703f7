import { atom } from 'nanostores'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { type BarAct, type KeySet, keyOf, nameOf } from './bar-keys.ts'
import { $publishers, isSending, send, switchScreen } from './devices/stage-publish.ts'
import { switchSound } from './devices/stage-sound.ts'
import { $state, act } from './room.ts'
import { failWith } from './stage/stage-fail.ts'
import { switchSaving } from './stage/stage-saving.ts'
import { turnBy } from './stage/stage-slides.ts'

export type Drawer = 'devices' | 'thumbs' | 'launcher' | 'hands'

/** What is open beside the stage, one at a time. */
export const $drawer = atom<Drawer | null>(null)
/** A question that waits for its answer. */
export const $dialog = atom<'finish' | 'leave' | 'keys' | null>(null)
/** Where the focus was when it was asked. */
let asker: Element | null = null
export const askedFrom = (): Element | null => asker

export const $panel = atom<'open' | 'closed'>('open')
export const $captionsOn = atom(true)
export const $typesCaptions = atom(false)
/** Whether my hand is up. */
export const $hand = atom(false)

export const toggleDrawer = (one: Drawer): void => $drawer.set($drawer.get() === one ? null : one)

/** Does what a button of the bar or its key asks for. */
export function perform(asked: BarAct, view: RoomView): void {
  if (typeof asked === 'object') return void act.setMode({ mode: asked.mode }).catch(failWith)
  ACTS[asked](view)
}

/** What a button of the bar needs to do an act. */
export const pressOf = (asked: BarAct, keys: KeySet, view: RoomView) => ({
  act: nameOf(asked),
  hint: keyOf(asked, keys),
  onPress: () => perform(asked, view),
})

const ACTS: Record<Exclude<BarAct, object>, (view: RoomView) => void> = {
  start: () => {
    if ($state.get()?.phase === 'live') ask('finish')
    else void act.start().catch(failWith)
  },
  microphone: () => void send({ mic: !isOn('mic') }),
  camera: () => void send({ camera: !isOn('camera') }),
  screen: () => void switchScreen().catch(failWith),
  devices: () => toggleDrawer('devices'),
  thumbs: () => toggleDrawer('thumbs'),
  launcher: () => toggleDrawer('launcher'),
  hands: ({ me }) => (me.role === 'viewer' ? switchHand() : toggleDrawer('hands')),
  sound: switchSound,
  captions: () => $captionsOn.set(!$captionsOn.get()),
  typeCaption: () => $typesCaptions.set(!$typesCaptions.get()),
  fullscreen: () => void switchFullscreen(),
  saving: switchSaving,
  panel: () => $panel.set($panel.get() === 'open' ? 'closed' : 'open'),
  leave: () => ask('leave'),
  keys: () => ask($dialog.get() === 'keys' ? null : 'keys'),
  next: () => turnBy(1),
  previous: () => turnBy(-1),
}

function ask(what: ReturnType<typeof $dialog.get>): void {
  if (what) asker = document.activeElement
  $dialog.set(what)
}

function isOn(what: 'mic' | 'camera'): boolean {
  const { camera } = $publishers.get()
  if (!camera || !isSending(camera)) return false
  return what === 'mic' ? camera.$micOn.get() : camera.$cameraOn.get()
}

function switchHand(): void {
  const on = !$hand.get()
  $hand.set(on)
  act.raiseHand({ on }).catch((error: unknown) => {
    $hand.set(!on)
    failWith(error)
  })
}

async function switchFullscreen(): Promise<void> {
  if (document.fullscreenElement) return document.exitFullscreen()
  // The whole page and not the room alone: questions, menus and notices stand beside it, and would be out of sight.
  await document.documentElement.requestFullscreen?.().catch(() => undefined)
}
