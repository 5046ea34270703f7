import { type ReactNode, Suspense, useEffect, useState } from 'react'

/** What comes by itself in the browser: the server draws neither players nor PDF pages, and streams no scripts. */
export function ClientOnly({ waiting = null, children }: { waiting?: ReactNode; children: ReactNode }) {
  const [alive, setAlive] = useState(false)
  useEffect(() => setAlive(true), [])
  return alive ? <Suspense fallback={waiting}>{children}</Suspense> : waiting
}
