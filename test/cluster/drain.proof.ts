import './drain.test.ts'
