import { expect, test } from 'vitest'
import { lockForwardSeek } from '#islands/player/lock-forward-seek.ts'

/** As much of a film as is asked for: it plays in steps, and jumps. */
class Film extends EventTarget {
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
  const film = new Film()
  lockForwardSeek(film, 0)
  film.play(10)
  film.currentTime = 300
  expect(film.currentTime).toBe(10)
  film.currentTime = 4
  expect(film.currentTime).toBe(4)
  film.currentTime = 9
  expect(film.currentTime).toBe(9)
  film.play(5)
  film.currentTime = 600
  expect(film.currentTime).toBe(14)
})

test('playback resumes at the start position, and the lock can be removed', () => {
  const film = new Film()
  const end = lockForwardSeek(film, 120)
  film.currentTime = 120
  expect(film.currentTime).toBe(120)
  film.currentTime = 500
  expect(film.currentTime).toBe(120)
  end()
  film.currentTime = 500
  expect(film.currentTime).toBe(500)
})
