import type { PageRoute } from './pages.ts'

const json = (status: number, body: object) => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})

/** `/livez`: the process runs. `/readyz`: payments can be accepted this moment. */
export function healthRoutes(readiness: () => { ready: boolean; reason?: string }): PageRoute[] {
  return [
    { path: '/livez', isProbe: true, render: () => json(200, { status: 'alive' }) },
    {
      path: '/readyz',
      isProbe: true,
      render: () => {
        const { ready, reason } = readiness()
        return ready ? json(200, { status: 'ready' }) : json(503, { status: 'not ready', reason })
      },
    },
  ]
}
