import { expect, test } from 'vitest'
import { lockForwardSeek } from '#islands/player/lock-forward-seek.ts'

/** A simulated video element that plays in steps and seeks. */
class Video extends EventTarget {
  seeking = false
  #at = 0
  get currentTime() {
    return this.#at
  }
  set currentTime(at: number) {
    this.#at = at
    this.seeking = true
    this.dispatchEvent(new Event('seeking'))
    this.seeking = false
  }
  play(seconds: number) {
    for (let step = 0; step < seconds * 4; step++) {
      this.#at += 0.25
      this.dispatchEvent(new Event('timeupdate'))
    }
  }
}

test('a locked video returns to the watched position on forward seeks and allows seeking back', () => {
  const video = new Video()
  lockForwardSeek(video, 0)
  video.play(10)
  video.currentTime = 300
  expect(video.currentTime).toBe(10)
  video.currentTime = 4
  expect(video.currentTime).toBe(4)
  video.currentTime = 9
  expect(video.currentTime).toBe(9)
  video.play(5)
  video.currentTime = 600
  expect(video.currentTime).toBe(14)
})

test('playback resumes at the start position, and the lock can be removed', () => {
  const video = new Video()
  const end = lockForwardSeek(video, 120)
  video.currentTime = 120
  expect(video.currentTime).toBe(120)
  video.currentTime = 500
  expect(video.currentTime).toBe(120)
  end()
  video.currentTime = 500
  expect(video.currentTime).toBe(500)
})
