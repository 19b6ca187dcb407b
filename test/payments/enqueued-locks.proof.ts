import './enqueued-locks.test.ts'
