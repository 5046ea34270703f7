import { type ReactNode, Suspense, useEffect, useState } from 'react'

/** Renders its children in the browser only: the server renders neither players nor PDF pages. */
export function ClientOnly({ waiting = null, children }: { waiting?: ReactNode; children: ReactNode }) {
  const [alive, setAlive] = useState(false)
  useEffect(() => setAlive(true), [])
  return alive ? <Suspense fallback={waiting}>{children}</Suspense> : waiting
}
