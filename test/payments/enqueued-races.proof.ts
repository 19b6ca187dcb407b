import './enqueued-races.test.ts'
