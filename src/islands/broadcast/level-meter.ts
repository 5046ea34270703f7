import { atom, type ReadableAtom } from 'nanostores'

const MEASURE_INTERVAL_MS = 100

export interface AudioLevelMeter {
  /** Level from 0 to 1, proportional to the perceived loudness. */
  $level: ReadableAtom<number>
  /** Measures this track from now on; null stops measuring. */
  measure(track: MediaStreamTrack | null): void
  stop(): void
}

/** Measures the level of a microphone, ten times a second. */
export function createLevelMeter(): AudioLevelMeter {
  const $level = atom(0)
  let context: AudioContext | null = null
  let source: MediaStreamAudioSourceNode | null = null
  let analyser: AnalyserNode | null = null
  const samples = new Float32Array(1024)
  const timer = setInterval(read, MEASURE_INTERVAL_MS)

  function read(): void {
    if (!analyser || !source) return
    analyser.getFloatTimeDomainData(samples)
    $level.set(loudness(samples))
  }

  return {
    $level,
    measure(track) {
      source?.disconnect()
      source = null
      $level.set(0)
      if (!track) return
      context ??= new AudioContext()
      analyser ??= new AnalyserNode(context, { fftSize: 2048 })
      source = context.createMediaStreamSource(new MediaStream([track]))
      source.connect(analyser)
      void context.resume()
    },
    stop() {
      clearInterval(timer)
      void context?.close()
      context = analyser = source = null
    },
  }
}

/** Root mean square on a scale from −60 dB (0) to 0 dB (1). */
function loudness(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  return Math.min(1, Math.max(0, 1 + (10 * Math.log10(power + 1e-9)) / 60))
}
