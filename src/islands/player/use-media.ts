import { createMediaStore, type MediaState, type MediaStore } from 'media-chrome/dist/media-store/media-store.js'
import { useSyncExternalStore } from 'react'

export type Media = Partial<MediaState>

/** Requests an action of media-chrome: `ask('mediaplayrequest')`. */
export type MediaRequest = (type: `media${string}request`, detail?: unknown) => void

/**
 * media-chrome's browser support (full screen, picture in picture, volume) without its elements: see
 * docs/decisions/072.
 */
export function createStore(media: HTMLMediaElement, fullscreenElement: HTMLElement): MediaStore {
  const options = { noSubtitlesLangPref: true }
  return createMediaStore({ media, fullscreenElement, documentElement: document, options })
}

export function useMedia(store: MediaStore): [Media, MediaRequest] {
  const state = useSyncExternalStore(store.subscribe, store.getState, store.getState)
  return [state, (type, detail) => store.dispatch({ type, detail })]
}
