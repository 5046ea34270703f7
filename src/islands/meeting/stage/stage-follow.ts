import { atom } from 'nanostores'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import type { StagePlace } from '#lib/meeting/stage/rules.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { $hand } from '../bar-state.ts'
import { renewMedia } from '../devices/room-media.ts'
import { listenForCaptions } from '../devices/stage-listen.ts'
import { leaveAir, resume } from '../devices/stage-publish.ts'
import { recallLoudness } from '../devices/stage-sound.ts'
import { act, onEvents } from '../room.ts'
import { followCaptions } from './stage-captions.ts'
import { followHands } from './stage-hands.ts'

/** Where a viewer stands with the stage. */
export const $place = atom<StagePlace>('off')

/** Everything of the stage that goes on while the room is open. Answers how to stop it. */
export function followRoom(view: RoomView): () => void {
  const staff = view.me.role !== 'viewer'
  const presents = hasRight(view.me.role, 'present')
  recallLoudness()
  $place.set(view.me.stage)
  if (view.media.publish) void resume()
  const ends = [
    followCaptions(),
    onEvents((events) => {
      for (const event of events) heed(event, view)
    }),
  ]
  ends.push(followWindow())
  if (staff) ends.push(followHands())
  if (presents && view.workshop.captions === 'automatic') ends.push(listenForCaptions(view.workshop.language))
  return () => {
    for (const end of ends) end()
  }
}

/** Whether anybody looks at the room: attention is counted from it. */
function followWindow(): () => void {
  const note = () => void act.noteWindow({ visible: !document.hidden }).catch(() => undefined)
  document.addEventListener('visibilitychange', note)
  if (document.hidden) note()
  return () => document.removeEventListener('visibilitychange', note)
}

/** What concerns me alone. */
function heed(event: RoomEvent, { me }: RoomView): void {
  const { payload } = event
  if (!('personId' in payload) || payload.personId !== me.personId) {
    if (event.type === 'hand.raise' && event.actorId === me.personId) $hand.set(event.payload.on)
    return
  }
  if (event.type === 'stage.invite') changePlace(event.payload.on ? 'invited' : 'off')
  if (event.type === 'stage.change') changePlace(event.payload.accepted ? 'on' : 'off')
}

function changePlace(place: StagePlace): void {
  const was = $place.get()
  if (place === was) return
  if (was === 'on') leaveAir()
  if (place !== 'on') {
    $place.set(place)
    return
  }
  $hand.set(false)
  // The leave to publish comes first: what asks for the camera needs it.
  void renewMedia().then(() => $place.set('on'))
}
