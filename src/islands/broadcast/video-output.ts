import { atom } from 'nanostores'

/** A video element that shows one live stream after another, and the state of blocked autoplay with audio. */
export function createVideoOutput(video: HTMLVideoElement) {
  const $isAutoplayBlocked = atom(false)
  const initial = { muted: video.muted }
  video.playsInline = true

  async function play(): Promise<void> {
    try {
      await video.play()
      if (!video.muted) $isAutoplayBlocked.set(false)
    } catch (error) {
      // Interrupted by another stream.
      if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return
      $isAutoplayBlocked.set(true)
      if (video.muted) return
      video.muted = true
      await play()
    }
  }

  return {
    $blocked: $isAutoplayBlocked,
    play,
    showStream(stream: MediaStream): void {
      video.removeAttribute('src')
      video.srcObject = stream
      void play()
    },
    clear(): void {
      video.srcObject = null
    },
    async unmute(): Promise<void> {
      video.muted = initial.muted
      $isAutoplayBlocked.set(false)
      await play()
    },
  }
}
