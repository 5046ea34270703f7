import { Volume2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { useTranslation } from '../translation.ts'

/** Plays two short tones to test the speakers. */
export function SpeakerTest() {
  const { t } = useTranslation()
  const [done, setDone] = useState(false)
  return (
    <p className="flex flex-wrap items-center justify-center gap-2">
      <Button
        small
        icon={<Volume2 size={16} aria-hidden="true" />}
        onClick={() => {
          playTones()
          setDone(true)
        }}
      >
        {t('stage:check.sound')}
      </Button>
      <span role="status">{done ? t('stage:check.heard') : ''}</span>
    </p>
  )
}

function playTones(): void {
  const context = new AudioContext()
  const gain = context.createGain()
  gain.gain.value = 0.15
  gain.connect(context.destination)
  for (const [startSeconds, frequency] of [
    [0, 523],
    [0.35, 659],
  ] as const) {
    const oscillator = context.createOscillator()
    oscillator.frequency.value = frequency
    oscillator.connect(gain)
    oscillator.start(context.currentTime + startSeconds)
    oscillator.stop(context.currentTime + startSeconds + 0.3)
    oscillator.onended = () => startSeconds > 0 && void context.close()
  }
}
