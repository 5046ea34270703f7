import { atom } from 'nanostores'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { commandName, type KeySet, type RoomCommand, shortcutOf } from './bar-shortcuts.ts'
import { $publishers, isPublishing, switchDevices, toggleScreen } from './devices/stage-publish.ts'
import { toggleSound } from './devices/stage-sound.ts'
import { $state, roomApi } from './room.ts'
import { toggleDataSaving } from './stage/data-saving.ts'
import { showError } from './stage/show-error.ts'
import { movePage } from './stage/stage-slides.ts'

export type Drawer = 'devices' | 'thumbs' | 'launcher' | 'hands'

/** The open drawer; at most one. */
export const $drawer = atom<Drawer | null>(null)
/** The open dialog. */
export const $dialog = atom<'finish' | 'leave' | 'keys' | null>(null)
/** The element that had the focus when the dialog was opened. */
let dialogOpener: Element | null = null
export const getDialogOpener = (): Element | null => dialogOpener

export const $panel = atom<'open' | 'closed'>('open')
export const $captionsShown = atom(true)
export const $captionFieldOpen = atom(false)
/** Whether this participant has a raised hand. */
export const $handRaised = atom(false)

const toggleDrawer = (drawer: Drawer): void => $drawer.set($drawer.get() === drawer ? null : drawer)

/** Runs a command of the bar. */
export function runCommand(command: RoomCommand, view: RoomView): void {
  if (typeof command === 'object') return void roomApi.setMode({ mode: command.mode }).catch(showError)
  COMMANDS[command](view)
}

/** Returns the props of the button of a command. */
export const commandButton = (command: RoomCommand, keys: KeySet, view: RoomView) => ({
  command: commandName(command),
  shortcut: shortcutOf(command, keys),
  onPress: () => runCommand(command, view),
})

const COMMANDS: Record<Exclude<RoomCommand, object>, (view: RoomView) => void> = {
  start: () => {
    if ($state.get()?.phase === 'live') openDialog('finish')
    else void roomApi.start().catch(showError)
  },
  microphone: () => void switchDevices({ mic: !isDeviceOn('mic') }),
  camera: () => void switchDevices({ camera: !isDeviceOn('camera') }),
  screen: () => void toggleScreen().catch(showError),
  devices: () => toggleDrawer('devices'),
  thumbs: () => toggleDrawer('thumbs'),
  launcher: () => toggleDrawer('launcher'),
  hands: ({ me }) => (hasRight(me.role, 'moderate') ? toggleDrawer('hands') : toggleHand()),
  sound: toggleSound,
  captions: () => $captionsShown.set(!$captionsShown.get()),
  typeCaption: () => $captionFieldOpen.set(!$captionFieldOpen.get()),
  fullscreen: () => void toggleFullscreen(),
  saving: toggleDataSaving,
  panel: () => $panel.set($panel.get() === 'open' ? 'closed' : 'open'),
  leave: () => openDialog('leave'),
  keys: () => openDialog($dialog.get() === 'keys' ? null : 'keys'),
  next: () => movePage(1),
  previous: () => movePage(-1),
}

function openDialog(dialog: ReturnType<typeof $dialog.get>): void {
  if (dialog) dialogOpener = document.activeElement
  $dialog.set(dialog)
}

function isDeviceOn(device: 'mic' | 'camera'): boolean {
  const { camera } = $publishers.get()
  if (!camera || !isPublishing(camera)) return false
  return device === 'mic' ? camera.$isMicOn.get() : camera.$isCameraOn.get()
}

function toggleHand(): void {
  const isRaised = !$handRaised.get()
  $handRaised.set(isRaised)
  roomApi.raiseHand({ on: isRaised }).catch((error: unknown) => {
    $handRaised.set(!isRaised)
    showError(error)
  })
}

async function toggleFullscreen(): Promise<void> {
  if (document.fullscreenElement) return document.exitFullscreen()
  // The whole page goes to full screen: dialogs, menus and notices are rendered outside the room's element.
  await document.documentElement.requestFullscreen?.().catch(() => undefined)
}
