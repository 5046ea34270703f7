const PIECE_COUNT = 90
const DURATION_MS = 2200

/** Shows confetti; nothing with reduced motion. */
export function showConfetti(): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) return
  canvas.className = 'confetti'
  canvas.setAttribute('aria-hidden', 'true')
  canvas.width = innerWidth
  canvas.height = innerHeight
  document.body.append(canvas)
  const colors = ['--color-primary', '--color-success', '--color-accent', '--color-warning'].map(
    (name) => getComputedStyle(document.documentElement).getPropertyValue(name) || 'currentColor',
  )
  const pieces = Array.from({ length: PIECE_COUNT }, (_, index) => ({
    x: innerWidth / 2,
    y: innerHeight * 0.6,
    across: (Math.random() - 0.5) * innerWidth * 1.2,
    up: innerHeight * (0.5 + Math.random() * 0.6),
    turn: Math.random() * 12,
    color: colors[index % colors.length] ?? '',
  }))
  const begun = performance.now()
  const draw = (now: number) => {
    const time = (now - begun) / DURATION_MS
    if (time >= 1) return canvas.remove()
    context.clearRect(0, 0, canvas.width, canvas.height)
    context.globalAlpha = Math.min(1, (1 - time) * 2)
    for (const { x, y, across, up, turn, color } of pieces) {
      context.save()
      context.translate(x + across * time, y - up * time + innerHeight * 1.3 * time * time)
      context.rotate(turn * time)
      context.fillStyle = color
      context.fillRect(-5, -3, 10, 6)
      context.restore()
    }
    requestAnimationFrame(draw)
  }
  requestAnimationFrame(draw)
}
