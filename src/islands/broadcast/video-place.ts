import { atom } from 'nanostores'

/** A video element that shows one live stream after another, and the browser's wish for a press before there is sound. */
export function createScreen(video: HTMLVideoElement) {
  const $blocked = atom(false)
  const wished = { muted: video.muted }
  video.playsInline = true

  async function play(): Promise<void> {
    try {
      await video.play()
      if (!video.muted) $blocked.set(false)
    } catch (error) {
      // Another stream took its place meanwhile.
      if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return
      $blocked.set(true)
      if (video.muted) return
      video.muted = true
      await play()
    }
  }

  return {
    $blocked,
    play,
    show(stream: MediaStream): void {
      video.removeAttribute('src')
      video.srcObject = stream
      void play()
    },
    clear(): void {
      video.srcObject = null
    },
    async unmute(): Promise<void> {
      video.muted = wished.muted
      $blocked.set(false)
      await play()
    },
  }
}
