import type { RoomView } from '#lib/meeting/room-schema.ts'
import type { StagePlace } from '#lib/meeting/stage/rules.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { $handRaised } from '../bar-state.ts'
import { recordCaptions } from '../devices/caption-recorder.ts'
import { renewMedia } from '../devices/room-media.ts'
import { resumePublishing, stopPublishing } from '../devices/stage-publish.ts'
import { restoreLoudness } from '../devices/stage-sound.ts'
import { onEvents, roomApi } from '../room.ts'
import { showStageCaptions } from './stage-captions.ts'
import { trackHands } from './stage-hands.ts'
import { $stagePlace } from './stage-place.ts'

/** Starts everything that the stage does while the room is open. Returns a function that stops it. */
export function startStage(view: RoomView): () => void {
  const isStaff = hasRight(view.me.role, 'moderate')
  const canPresent = hasRight(view.me.role, 'present')
  restoreLoudness()
  $stagePlace.set(view.me.stage)
  if (view.media.publish) void resumePublishing()
  const cleanups = [
    showStageCaptions(),
    onEvents((events) => {
      for (const event of events) applyOwnEvent(event, view)
    }),
  ]
  cleanups.push(trackVisibility())
  if (isStaff && !view.mentoring) cleanups.push(trackHands())
  if (canPresent && view.workshop.captions === 'automatic') cleanups.push(recordCaptions(view.workshop.language))
  return () => {
    for (const end of cleanups) end()
  }
}

/** Reports whether the page is visible; the statistics of attention use it. */
function trackVisibility(): () => void {
  const reportVisibility = () => void roomApi.noteWindow({ visible: !document.hidden }).catch(() => undefined)
  document.addEventListener('visibilitychange', reportVisibility)
  if (document.hidden) reportVisibility()
  return () => document.removeEventListener('visibilitychange', reportVisibility)
}

/** Applies events that concern this participant. */
function applyOwnEvent(event: RoomEvent, { me }: RoomView): void {
  const { payload } = event
  if (!('personId' in payload) || payload.personId !== me.personId) {
    if (event.type === 'hand.raise' && event.actorId === me.personId) $handRaised.set(event.payload.on)
    return
  }
  if (event.type === 'stage.invite') changePlace(event.payload.on ? 'invited' : 'off')
  if (event.type === 'stage.change') changePlace(event.payload.accepted ? 'on' : 'off')
}

function changePlace(place: StagePlace): void {
  const previousPlace = $stagePlace.get()
  if (place === previousPlace) return
  if (previousPlace === 'on') stopPublishing()
  if (place !== 'on') {
    $stagePlace.set(place)
    return
  }
  $handRaised.set(false)
  // The permission to publish must be renewed before the camera is used.
  void renewMedia().then(() => $stagePlace.set('on'))
}
