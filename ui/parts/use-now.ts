import { useEffect, useState } from 'react'

/**
 * The time in milliseconds, told anew every `intervalMs` while `isActive`. Nothing ticks otherwise, so that an idle screen stays idle
 * (TERM-13).
 */
export function useNow(intervalMs: number, isActive: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isActive) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs, isActive])
  return now
}
